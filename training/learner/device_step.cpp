#include "training/learner/device_step.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "nn/stream.h"
#include "training/learner/autocast.h"

namespace training {
namespace {

constexpr int kRunsBefore = 3;           // that make LibTorch's plans and workspaces
constexpr std::int64_t kWidthStep = 32;  // columns of the moves, so that few widths occur

}  // namespace

DeviceStep::DeviceStep(nn::Network network, const LearnerConfig& config, c10::Stream stream)
    : network_(std::move(network)),
      config_(config),
      stream_(stream),
      records_(nn::DeviceGraph::available()) {}

DeviceStep::~DeviceStep() {
  try {
    forget();
  } catch (...) {  // the device is gone, and with it what it held
  }
}

torch::Tensor DeviceStep::run(const TrainingBatch& batch, bool mixed) {
  if (std::exchange(mixed_, mixed) != mixed) forget();
  send(batch);
  if (!graph_ && records_ && ++runs_ > kRunsBefore) record();
  if (graph_) {
    graph_->start();
  } else {
    losses_ = compute();
  }
  return losses_;
}

// Copies the batch to the device. Where it does not fit the inputs, they are made anew.
void DeviceStep::send(const TrainingBatch& batch) {
  const std::int64_t had = inputs_.planes.defined() ? inputs_.policy.indices.size(1) : 0;
  const bool fits = had >= batch.policy.width && inputs_.planes.size(0) == batch.rows;
  const std::int64_t width =
      fits ? had : (batch.policy.width + kWidthStep - 1) / kWidthStep * kWidthStep;
  TrainingTensors here = host_tensors(batch, width);
  if (!fits) {
    forget();
    inputs_ = here;
    for_each_tensor(inputs_, [&](torch::Tensor& t) { t = torch::empty_like(t, stream_.device()); });
  }
  std::vector<torch::Tensor> there;
  for_each_tensor(inputs_, [&](torch::Tensor& t) { there.push_back(t); });
  std::size_t i = 0;
  for_each_tensor(
      here, [&](torch::Tensor& t) { there[i++].copy_(t.pin_memory(), /*non_blocking=*/true); });
}

void DeviceStep::forget() {
  if (graph_) nn::wait_for(stream_);
  graph_.reset();
  runs_ = 0;
}

void DeviceStep::record() {
  try {
    graph_ = std::make_unique<nn::DeviceGraph>([this] { losses_ = compute(); });
  } catch (const c10::Error& error) {
    records_ = false;
    spdlog::warn("no CUDA graph of a learning step: {}", error.what_without_backtrace());
  }
}

torch::Tensor DeviceStep::compute() {
  network_->train();
  for (auto& p : network_->parameters()) p.mutable_grad() = torch::Tensor();
  torch::Tensor result;
  {
    const Autocast autocast(mixed_, /*cuda=*/true);
    TrainingTensors tensors = inputs_;
    tensors.planes = nn::expanded(inputs_.planes, torch::kFloat);
    result = losses(network_->forward(tensors.planes, tensors.globals), tensors, config_);
  }
  result[kTotal].backward();
  return result.detach();
}

}  // namespace training
