#pragma once
// (Only .cpp files of this folder include it: torch.)

#include <ATen/autocast_mode.h>
#include <torch/version.h>

#include <cstdint>

#include "nn/network.h"

namespace training {

// Turns mixed precision on for the calling thread, if `on`; the destructor turns it off.
class Autocast {
 public:
  Autocast(bool on, bool cuda) : on_(on), cuda_(cuda) { set(on_); }
  ~Autocast() {
    if (!on_) return;
    at::autocast::clear_cache();
    set(false);
  }

 private:
  void set(bool enabled) const {
    if (!on_) return;
#if TORCH_VERSION_MAJOR >= 2
    const torch::DeviceType device = cuda_ ? torch::kCUDA : torch::kCPU;
    at::autocast::set_autocast_enabled(device, enabled);
    at::autocast::set_autocast_dtype(device, at::kBFloat16);
#else
    if (cuda_) {
      at::autocast::set_enabled(enabled);
      at::autocast::set_autocast_gpu_dtype(at::kBFloat16);
    } else {
      at::autocast::set_cpu_enabled(enabled);
      at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    }
#endif
  }
  bool on_, cuda_;
};

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

}  // namespace training
