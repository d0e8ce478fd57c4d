#pragma once
// A network that answers batches. Free of torch: positions in, floats out.

#include <memory>
#include <string>

#include "nn/batch.h"
#include "nn/network_config.h"
#include "nn/precision.h"
#include "nn/weights.h"
#include "rules/repertoire.h"

namespace nn {

class ForwardPass;

struct InferenceOptions {
  std::string device = "cpu";  // "cpu", "cuda", "cuda:N"
  Precision precision = Precision::kFloat32;
  int max_batch = 256;
  rules::Repertoire repertoire{};  // of the positions by which int8 is calibrated
};

// Owned and called by one thread. Batch-norm is folded into the convolutions, the weights are
// copied.
class Inference {
 public:
  // Throws CheckpointError where the weights do not fit the config. REQUIRES: the precision is one
  // of precisions_on(device).
  Inference(const NetworkConfig& config, const Weights& weights, const InferenceOptions& options);
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // REQUIRES: batch.size() <= max_batch.
  void run(const Batch& batch, Outputs& outputs);

 private:
  std::unique_ptr<ForwardPass> form_;
};

// One LibTorch thread for the calling thread (LibTorch's setting holds per thread).
void use_one_torch_thread();

// The same while it lives, then as many as before.
class OneTorchThread {
 public:
  OneTorchThread();
  ~OneTorchThread();
  OneTorchThread(const OneTorchThread&) = delete;
  OneTorchThread& operator=(const OneTorchThread&) = delete;

 private:
  int before_;
};

}  // namespace nn
