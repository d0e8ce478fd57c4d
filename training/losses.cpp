#include "training/losses.h"

#include "nn/bit_planes.h"

namespace training {
namespace {

template <class T>
torch::Tensor tensor_of(const std::vector<T>& values, at::IntArrayRef shape, torch::Device device) {
  auto* data = const_cast<T*>(values.data());  // read only: cloned here
  return torch::from_blob(data, shape, c10::CppTypeToScalarType<T>::value).clone().to(device);
}

torch::Tensor planes_of(const TrainingBatch& batch, torch::Device device) {
  auto planes = torch::empty({batch.rows, 8, 8, batch.shape.planes});
  float* out = planes.data_ptr<float>();
  for (const nn::EncodedPosition& position : batch.positions) {
    nn::expand(position, batch.shape.planes, 1.0f, out);
    out += 64 * batch.shape.planes;
  }
  return planes.permute({0, 3, 1, 2}).to(device);
}

}  // namespace

torch::Tensor entropy(const torch::Tensor& distributions) {
  return -(distributions * torch::log(distributions.clamp_min(1e-12))).sum(1).mean();
}

TrainingTensors to_tensors(const TrainingBatch& batch, torch::Device device) {
  TrainingTensors t;
  t.planes = planes_of(batch, device);
  auto globals = torch::empty({batch.rows, batch.shape.globals});
  float* out = globals.data_ptr<float>();
  for (const nn::EncodedPosition& position : batch.positions) {
    out = std::copy_n(position.globals.begin(), batch.shape.globals, out);
  }
  t.globals = globals.to(device);
  t.policy_indices = tensor_of(batch.policy_indices, {batch.rows, batch.width}, device);
  t.policy_mask = tensor_of(batch.policy_mask, {batch.rows, batch.width}, device);
  t.policy_targets = tensor_of(batch.policy_targets, {batch.rows, batch.width}, device);
  t.outcomes = tensor_of(batch.outcomes, {batch.rows, 7}, device);
  t.moves_left = tensor_of(batch.moves_left, {batch.rows}, device);
  t.auxiliary = tensor_of(batch.auxiliary, {batch.rows, kAuxiliaryTargets}, device);
  return t;
}

torch::Tensor losses(const nn::NetworkOutputs& outputs, const TrainingTensors& targets,
                     const LearnerConfig& config) {
  const auto logits = outputs.policy.gather(1, targets.policy_indices).to(torch::kFloat32);
  const auto masked = logits.masked_fill(targets.policy_mask == 0, -1e9);
  const auto policy = -(targets.policy_targets * torch::log_softmax(masked, 1)).sum(1).mean();
  const auto floor = entropy(targets.policy_targets);
  const auto outcome = -(targets.outcomes * torch::log_softmax(outputs.outcomes, 1)).sum(1).mean();
  const auto moves_left =
      torch::smooth_l1_loss(outputs.moves_left, targets.moves_left / nn::kMovesLeftScale);
  const auto auxiliary = torch::smooth_l1_loss(outputs.auxiliary, targets.auxiliary) *
                         static_cast<double>(kAuxiliaryTargets);
  const auto total = config.policy_weight * (policy - floor) +
                     config.outcome_weight * (outcome - entropy(targets.outcomes)) +
                     config.moves_left_weight * moves_left + config.auxiliary_weight * auxiliary;
  return torch::stack(
      {total, policy.detach(), floor, outcome.detach(), moves_left.detach(), auxiliary.detach()});
}

}  // namespace training
