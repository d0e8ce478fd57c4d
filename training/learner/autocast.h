#pragma once
// (Only .cpp files of this folder include it: torch.)

#include <ATen/autocast_mode.h>
#include <torch/types.h>
#include <torch/version.h>

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

}  // namespace training
