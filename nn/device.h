#pragma once

#include <string>

namespace nn {

// The device to work on: "auto" is "cuda" where it can be used, else "cpu", which is logged where
// there is an NVIDIA driver; all others are themselves. A GPU is tried with one operation before it
// is trusted. Throws base::InputError where it is no device's name (nn/device_name.h),
// base::EnvironmentError, one line with what helps, where there is no such device or it does not
// work.
std::string resolve_device(const std::string& device);

// What is known of a machine's GPU and of LibTorch.
struct GpuFacts {
  std::string driver;     // NVIDIA's version, such as "535.104.05"; empty: none is loaded
  std::string libtorch;   // its version
  bool has_cuda = false;  // LibTorch was built with it
  int devices = 0;        // that LibTorch finds
  int number = 0;         // of the device that is wanted
  std::string failure{};  // of the first operation on it; empty: it worked or was not tried
};

// What keeps LibTorch from the device, and the command that helps; empty: nothing.
std::string what_keeps_from_gpu(const GpuFacts& facts);

}  // namespace nn
