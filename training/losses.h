#pragma once
// What the network is asked to get right, in one place. (Only .cpp files of this folder include it:
// torch.)

#include "nn/network.h"
#include "training/learner_config.h"
#include "training/replay_window.h"

namespace training {

// A TrainingBatch of n rows on the device. All fp32 but the indices, which are int64.
struct TrainingTensors {
  torch::Tensor planes;   // [n, planes, 8, 8] (rank, file), 0 or 1, channels-last
  torch::Tensor globals;  // [n, globals]
  struct Policy {
    torch::Tensor indices, mask, targets;  // [n, width], as PolicyRows has them
  };
  Policy policy;
  torch::Tensor outcomes;    // [n, 7]: mover loses … mover wins, sum 1
  torch::Tensor moves_left;  // [n], plies
  torch::Tensor auxiliary;   // [n, kAuxiliaryTargets]
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
