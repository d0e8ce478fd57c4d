#pragma once
// The losses that training minimises. (Only .cpp files of this folder include it: LibTorch.)

#include "nn/network.h"
#include "training/learner/learner.h"

namespace training {

// A TrainingBatch of n rows on a device. All fp32 but the indices, which are int64.
struct TrainingTensors {
  torch::Tensor planes;   // [n, planes, 8, 8] (rank, file), 0 or 1, channels-last
  torch::Tensor globals;  // [n, globals]
  struct Policy {
    torch::Tensor indices, mask, targets;  // [n, width], as PolicyRows has them
  };
  Policy policy;
  torch::Tensor outcomes;    // [n, 7]: side to move loses … wins, sum 1
  torch::Tensor moves_left;  // [n], plies
  torch::Tensor auxiliary;   // [n, kAuxiliaryTargets]
};
TrainingTensors to_tensors(const TrainingBatch& batch, torch::Device device);
// As a batch travels to a GPU: on the host, the planes [n, planes] packed for nn::expanded(). Where
// the policy has fewer columns than `width`, it is padded. Other tensors may be the batch's own
// memory.
TrainingTensors host_tensors(const TrainingBatch& batch, std::int64_t width = 0);

// Calls f on each of the tensors, in a fixed order.
template <class F>
void for_each_tensor(TrainingTensors& tensors, F&& f) {
  for (torch::Tensor* tensor :
       {&tensors.planes, &tensors.globals, &tensors.policy.indices, &tensors.policy.mask,
        &tensors.policy.targets, &tensors.outcomes, &tensors.moves_left, &tensors.auxiliary}) {
    f(*tensor);
  }
}

// Mean entropy of distributions [n, k], in nats: a scalar.
torch::Tensor entropy(const torch::Tensor& distributions);

// Returns the losses [kLosses], means over the batch. The total alone carries the gradient; in it,
// policy and outcome count as divergences (above their targets' entropy, which changes from
// generation to generation): 0 is perfect.
torch::Tensor losses(const nn::NetworkOutputs& outputs, const TrainingTensors& targets,
                     const LearnerConfig& config);

}  // namespace training
