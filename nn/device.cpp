#include "nn/device.h"

#include <torch/cuda.h>

#include <stdexcept>

#include "nn/device_name.h"
#include "rules/error.h"

namespace nn {

std::string resolve_device(const std::string& device) {
  const DeviceName name = parse_device_name(device);
  if (name.kind == DeviceKind::kCpu || name.kind == DeviceKind::kSimulated) return device;
  const auto devices = static_cast<int>(torch::cuda::device_count());
  if (name.kind == DeviceKind::kAuto) return devices > 0 ? "cuda" : "cpu";
  if (name.number < devices) return device;
  throw std::runtime_error("no device " + rules::quoted(device) + ": LibTorch finds " +
                           std::to_string(devices) + " CUDA devices here");
}

}  // namespace nn
