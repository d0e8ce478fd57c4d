#include "nn/device.h"

#include <torch/cuda.h>

#include <stdexcept>

#include "rules/error.h"

namespace nn {

std::string resolve_device(const std::string& device) {
  const auto devices = static_cast<int>(torch::cuda::device_count());
  if (device == "auto") return devices > 0 ? "cuda" : "cpu";
  if (device == "cpu") return device;
  if (device == "cuda" && devices > 0) return device;
  for (int i = 0; i < devices; ++i) {
    if (device == "cuda:" + std::to_string(i)) return device;
  }
  throw std::runtime_error("no device " + rules::quoted(device) + ": LibTorch finds " +
                           std::to_string(devices) + " CUDA devices here");
}

}  // namespace nn
