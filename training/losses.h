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
  struct Policy {
    torch::Tensor indices, mask, targets;
  };
  Policy policy, reply;
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
  kReplyLoss,
  kLosses  // how many
};

// [kLosses], means over the batch. Policy and outcome are cross-entropies in nats; the floor is the
// policy targets' own entropy; so is the reply, over the rows that have one, 0 without that head.
// The total is the weighted sum that is minimised and alone carries the gradient; in it, policy and
// outcome count as divergences (above their targets' entropy, which changes from generation to
// generation): 0 is perfect.
torch::Tensor losses(const nn::NetworkOutputs& outputs, const TrainingTensors& targets,
                     const LearnerConfig& config);

}  // namespace training
