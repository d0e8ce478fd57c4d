#pragma once

#include <string>

namespace nn {

// The device to work on: "auto" is "cuda" where it can be used, else "cpu"; "cpu", "cuda" and
// "cuda:N" are themselves. Throws std::runtime_error, one line, where there is no such device.
std::string resolve_device(const std::string& device);

}  // namespace nn
