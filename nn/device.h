#pragma once

#include <string>

namespace nn {

// The device to work on: "auto" is "cuda" where it can be used, else "cpu"; all others are
// themselves. Throws base::InputError where it is no device's name (nn/device_name.h),
// std::runtime_error, one line, where there is no such device.
std::string resolve_device(const std::string& device);

}  // namespace nn
