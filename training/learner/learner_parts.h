#pragma once
// What the learner asks of networks and losses, one at a time. Includes LibTorch: only .cpp
// files of this folder include it.

#include <torch/torch.h>

#include <algorithm>
#include <vector>

#include "nn/network.h"
#include "training/learner/learner.h"

namespace training {

// An untrained network, its convolutions channels-last. Equal seeds make equal networks.
inline nn::Network build_network(const nn::NetworkConfig& config, torch::Device device,
                                 std::uint64_t seed) {
  torch::manual_seed(seed);
  nn::Network built(config);
  built->to(device);
  for (auto& p : built->parameters()) {
    if (p.dim() == 4) p.set_data(p.contiguous(torch::MemoryFormat::ChannelsLast));
  }
  return built;
}

// Lets `other` use the parameters of `owner`; the batch norms' statistics stay its own.
inline void share_parameters(const torch::nn::Module& owner, const torch::nn::Module& other) {
  const auto master = owner.parameters(), own = other.parameters();
  for (std::size_t i = 0; i < own.size(); ++i) own[i].set_data(master[i].detach());
}

inline std::vector<torch::nn::BatchNorm2dImpl*> norms_of(const nn::NetworkImpl& network) {
  std::vector<torch::nn::BatchNorm2dImpl*> norms;
  for (const auto& module : network.modules()) {
    if (auto* norm = module->as<torch::nn::BatchNorm2dImpl>()) norms.push_back(norm);
  }
  return norms;
}

// The batch norms' means and variances.
inline std::vector<torch::Tensor> statistics_of(const nn::NetworkImpl& network) {
  std::vector<torch::Tensor> found;
  for (const auto* norm : norms_of(network)) {
    found.push_back(norm->running_mean);
    found.push_back(norm->running_var);
  }
  return found;
}

// Losses on the CPU, in double precision.
inline torch::Tensor on_cpu(const torch::Tensor& losses) {
  return losses.detach().to(torch::kCPU, torch::kFloat64).contiguous();
}

// Whether losses(), on the CPU and divided by `parts`, are not finite or too large.
inline bool lost(const torch::Tensor& losses, std::size_t parts) {
  const double* loss = losses.data_ptr<double>();
  const double largest = kLargestLoss * static_cast<double>(parts);
  return !torch::isfinite(losses).all().item<bool>() ||
         std::max(loss[kPolicyLoss], loss[kOutcomeLoss]) > largest;
}

}  // namespace training
