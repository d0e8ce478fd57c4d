#include "training/learner/losses.h"

#include "nn/stream.h"

namespace training {
namespace {

template <class T>
torch::Tensor tensor_of(const std::vector<T>& values, at::IntArrayRef shape) {
  auto* data = const_cast<T*>(values.data());  // read only
  return torch::from_blob(data, shape, c10::CppTypeToScalarType<T>::value);
}

// Cross-entropies [n] of the moves asked for; 0 where a row has none.
torch::Tensor cross_entropies(const nn::MoveLogits& logits, const TrainingTensors::Policy& of) {
  const auto masked = logits.at(of.indices).masked_fill(of.mask == 0, -1e9);
  return -(of.targets * torch::log_softmax(masked, 1)).sum(1);
}

torch::Tensor planes_of(const TrainingBatch& batch) {
  auto planes = torch::empty({batch.rows, 8, 8, batch.shape.planes});
  nn::expand(std::span(batch.positions), batch.shape.planes, 1.0f, planes.data_ptr<float>());
  return planes.permute({0, 3, 1, 2});
}

torch::Tensor packed_planes(const TrainingBatch& batch) {
  auto packed = torch::empty({batch.rows, batch.shape.planes}, torch::kLong);
  nn::copy_planes(batch.positions, batch.shape.planes, packed.data_ptr<std::int64_t>());
  return packed;
}

}  // namespace

torch::Tensor entropy(const torch::Tensor& distributions) {
  return -(distributions * torch::log(distributions.clamp_min(1e-12))).sum(1).mean();
}

TrainingTensors host_tensors(const TrainingBatch& batch, std::int64_t width) {
  TrainingTensors t;
  t.planes = packed_planes(batch);
  t.globals = torch::empty({batch.rows, batch.shape.globals});
  nn::copy_globals(batch.positions, batch.shape.globals, t.globals.data_ptr<float>());
  const auto policy = [&](const auto& values) {
    const torch::Tensor all = tensor_of(values, {batch.rows, batch.policy.width});
    const std::int64_t missing = width - batch.policy.width;
    return missing > 0 ? torch::constant_pad_nd(all, {0, missing}) : all;
  };
  t.policy = {policy(batch.policy.indices), policy(batch.policy.mask),
              policy(batch.policy.targets)};
  t.outcomes = tensor_of(batch.outcomes, {batch.rows, 7});
  t.moves_left = tensor_of(batch.moves_left, {batch.rows});
  t.auxiliary = tensor_of(batch.auxiliary, {batch.rows, kAuxiliaryTargets});
  return t;
}

// To a GPU through pinned memory: then the thread does not wait.
TrainingTensors to_tensors(const TrainingBatch& batch, torch::Device device) {
  TrainingTensors t = host_tensors(batch);
  for_each_tensor(t, [&](torch::Tensor& x) {
    x = device.is_cuda() ? x.pin_memory().to(device, /*non_blocking=*/true) : x.clone();
  });
  t.planes = device.is_cuda() ? nn::expanded(t.planes, torch::kFloat) : planes_of(batch);
  return t;
}

torch::Tensor losses(const nn::NetworkOutputs& outputs, const TrainingTensors& targets,
                     const LearnerConfig& config) {
  const auto policy = cross_entropies(outputs.policy, targets.policy).mean();
  const auto floor = entropy(targets.policy.targets);
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
