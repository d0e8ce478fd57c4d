#pragma once
// What the network is asked to get right, in one place. (Only .cpp files of this folder include it:
// torch.)

#include "nn/network.h"
#include "training/learner_config.h"
#include "training/replay_window.h"

namespace training {

// Means over a batch, unweighted. Cross-entropies in nats.
struct Losses {
  double total = 0;  // the weighted sum that is minimised
  double policy = 0;
  double policy_floor = 0;  // the targets' own entropy: what `policy` cannot go below
  double outcome = 0;
  double moves_left = 0;
  double auxiliary = 0;
};

// A batch on the device.
struct TrainingTensors {
  torch::Tensor planes, globals;
  torch::Tensor policy_indices, policy_mask, policy_targets;
  torch::Tensor outcomes, moves_left, auxiliary;
};
TrainingTensors to_tensors(const TrainingBatch& batch, torch::Device device);

// [6]: total, policy, policy floor, outcome, moves left, auxiliary; the first carries the gradient.
torch::Tensor losses(const nn::NetworkOutputs& outputs, const TrainingTensors& targets,
                     const LearnerConfig& config);

}  // namespace training
