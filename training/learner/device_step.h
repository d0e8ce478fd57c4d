#pragma once
// The forward and backward pass of a learning step on a GPU. Includes LibTorch: only .cpp files of
// this folder include it.

#include <memory>

#include "nn/device_graph.h"
#include "nn/network.h"
#include "training/learner/learner.h"
#include "training/learner/losses.h"

namespace training {

// A step's passes over a network. After some steps they are recorded (nn::DeviceGraph): beside
// games, whose threads keep the driver busy, a launch for each of their kernels takes far longer
// than the kernels. Used where `stream` is the current one, which is not the default one.
class DeviceStep {
 public:
  DeviceStep(nn::Network network, const LearnerConfig& config, c10::Stream stream);
  ~DeviceStep();  // waits for the device
  DeviceStep(const DeviceStep&) = delete;
  DeviceStep& operator=(const DeviceStep&) = delete;

  // Lets the network's parameters have the batch's gradients. Returns its losses [kLosses] on the
  // device; the next call overwrites both. Waits for nothing.
  torch::Tensor run(const TrainingBatch& batch, bool mixed);

 private:
  void send(const TrainingBatch& batch);
  void forget();
  void record();
  torch::Tensor compute();

  nn::Network network_;
  const LearnerConfig& config_;
  c10::Stream stream_;
  bool mixed_ = false;
  bool records_;
  TrainingTensors inputs_;  // on the device, the planes packed; always the same
  torch::Tensor losses_;
  int runs_ = 0;  // with these inputs, before they were recorded
  std::unique_ptr<nn::DeviceGraph> graph_;
};

}  // namespace training
