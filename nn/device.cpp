#include "nn/device.h"

#include <c10/core/Device.h>
#include <torch/cuda.h>

#include <algorithm>
#include <stdexcept>

namespace nn {

std::string resolve_device(const std::string& device) {
  const auto devices = static_cast<int>(torch::cuda::device_count());
  if (device == "auto") return devices > 0 ? "cuda" : "cpu";
  if (device == "cpu") return device;
  // "cuda" alone has index -1.
  if (device.starts_with("cuda") && std::max<int>(0, c10::Device(device).index()) < devices) {
    return device;
  }
  throw std::runtime_error("no device " + device + ": LibTorch finds " + std::to_string(devices) +
                           " CUDA devices here");
}

}  // namespace nn
