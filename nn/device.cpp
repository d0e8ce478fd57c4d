#include "nn/device.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <spdlog/spdlog.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/version.h>

#include <cstdlib>
#include <fstream>

#include "base/errors.h"
#include "nn/device_name.h"
#include "rules/error.h"

namespace nn {
namespace {

// PyPI's wheels as scripts/build.sh chooses them.
constexpr int kNewestDriver = 580, kOldestDriver = 525;  // of CUDA 13 and of CUDA 12
constexpr const char *kNewestWheel = "2.11.0", *kOlderWheel = "2.10.0", *kOldCardsWheel = "2.6.0";

std::string with_wheel(const char* version) {
  return std::string("SHARPZERO_TORCH=") + version + " ./sharpzero …";
}

std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    const bool number = word.find_first_not_of("0123456789.") == word.npos;
    if (number && word.find('.') != word.npos) return word;
  }
  return "";
}

// Tries one operation. Returns what went wrong; empty: nothing.
std::string failure_on(const std::string& device) {
  try {
    const torch::Tensor one = torch::ones({8}, torch::Device(device));
    const double sum = (one + one).sum().item<double>();
    return sum == 16 ? "" : "1 + 1 is " + std::to_string(sum / 8);
  } catch (const std::exception& error) {
    return base::one_line(base::first_line(error.what()));
  }
}

GpuFacts facts_of(const DeviceName& name, const std::string& device) {
  GpuFacts facts;
  facts.driver = driver_version();
  facts.libtorch = TORCH_VERSION;
  facts.has_cuda = at::detail::getCUDAHooks().hasCUDART();
  facts.devices = static_cast<int>(torch::cuda::device_count());
  facts.number = name.number;
  if (facts.number < facts.devices) facts.failure = failure_on(device);
  return facts;
}

}  // namespace

std::string what_keeps_from_gpu(const GpuFacts& facts) {
  const std::string libtorch = "LibTorch " + facts.libtorch;
  const std::string finds =
      libtorch + " finds " + std::to_string(facts.devices) + " CUDA devices here";
  const int major = std::atoi(facts.driver.c_str());
  if (facts.number < facts.devices) {
    if (facts.failure.empty()) return "";
    return "it fails at its first operation: " + facts.failure + "; NVIDIA driver " + facts.driver +
           ", " + libtorch + "; for a card that is too old for it: " + with_wheel(kOldCardsWheel);
  }
  if (facts.devices > 0) return finds;
  if (facts.driver.empty()) {
    return finds + ", and no NVIDIA driver is loaded; `nvidia-smi` must list the card";
  }
  if (major < kOldestDriver) {
    return finds + ": the NVIDIA driver " + facts.driver + " is too old; update it to " +
           std::to_string(kOldestDriver) + " or newer";
  }
  const bool newest = major >= kNewestDriver;
  if (!facts.has_cuda) {
    return libtorch + " was built without CUDA; NVIDIA driver " + facts.driver + ": " +
           with_wheel(newest ? kNewestWheel : kOlderWheel);
  }
  if (newest) return finds + " beside the NVIDIA driver " + facts.driver + "; see `nvidia-smi`";
  return finds + ": the NVIDIA driver " + facts.driver + " may be too old for it; " +
         with_wheel(kOlderWheel) + ", or update the driver to " + std::to_string(kNewestDriver);
}

std::string resolve_device(const std::string& device) {
  const DeviceName name = parse_device_name(device);
  if (name.kind == DeviceKind::kCpu || name.kind == DeviceKind::kSimulated) return device;
  const bool any = name.kind == DeviceKind::kAuto;
  const std::string found = any ? "cuda" : device;
  const GpuFacts facts = facts_of(name, found);
  const std::string hindrance = what_keeps_from_gpu(facts);
  if (hindrance.empty()) return found;
  if (!any) {
    throw base::EnvironmentError("no device " + rules::quoted(device) + ": " + hindrance);
  }
  if (!facts.driver.empty()) spdlog::warn("the GPU is not used: {}", hindrance);
  return "cpu";
}

}  // namespace nn
