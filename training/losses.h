#pragma once
// What the network is asked to get right, in one place. (Only .cpp files of this folder include it:
// torch.)

#include "nn/network.h"
#include "training/learner_config.h"
#include "training/replay_window.h"

namespace training {

// A batch on the device.
struct TrainingTensors {
  torch::Tensor planes, globals;
  torch::Tensor policy_indices, policy_mask, policy_targets;
  torch::Tensor outcomes, moves_left, auxiliary;
};
TrainingTensors to_tensors(const TrainingBatch& batch, torch::Device device);

// Mean entropy of distributions [n, k], in nats: a scalar.
torch::Tensor entropy(const torch::Tensor& distributions);

enum Loss {
  kTotal,
  kPolicyLoss,
  kPolicyFloor,
  kOutcomeLoss,
  kMovesLeftLoss,
  kAuxiliaryLoss,
  kLosses  // how many
};

// [kLosses], means over the batch. Policy and outcome are cross-entropies in nats; the floor is the
// policy targets' own entropy. The total is the weighted sum that is minimised and alone carries
// the gradient; in it, policy and outcome count as divergences (above their targets' entropy, which
// changes from generation to generation): 0 is perfect.
torch::Tensor losses(const nn::NetworkOutputs& outputs, const TrainingTensors& targets,
                     const LearnerConfig& config);

}  // namespace training
