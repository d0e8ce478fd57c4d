#pragma once
// What may go wrong on a device while a batch is there. Includes no LibTorch.

#include <chrono>
#include <stdexcept>
#include <string>

#include "base/errors.h"

namespace nn {

// The device's memory does not hold a batch of that size.
class DeviceMemoryError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A device did not answer in time. Nothing that waits for it returns, so that a program which has
// saved what it has should leave by std::_Exit().
class DeviceHungError : public base::EnvironmentError {
 public:
  explicit DeviceHungError(const std::string& device, double waited_s)
      : EnvironmentError("device " + device + ": no answer after " +
                         std::to_string(static_cast<int>(waited_s + 0.5)) +
                         " s: it hangs; the same command goes on from what is saved") {}
};

// Longer than a device takes for whatever is asked of it at once.
inline constexpr double kLongestWait_s = 120;

}  // namespace nn
