#pragma once
// How well the program's devices and the threads that wait for them are used. A CPU counts as none:
// there a thread computes its batch itself. And what may go wrong on one. Includes no LibTorch. For
// any thread.

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/errors.h"

namespace nn {

// Sums since the program's start; the difference of two readings says what lay between.
struct DeviceUse {
  double busy_s = 0;    // time in which a batch or a learning step was started and not done
  double waited_s = 0;  // time in which threads waited for one, summed over the threads
  std::int64_t batches = 0;
  std::int64_t rows = 0;  // of the batches, without padding

  DeviceUse operator-(const DeviceUse& before) const {
    return {busy_s - before.busy_s, waited_s - before.waited_s, batches - before.batches,
            rows - before.rows};
  }
  DeviceUse operator+(const DeviceUse& more) const {
    return {busy_s + more.busy_s, waited_s + more.waited_s, batches + more.batches,
            rows + more.rows};
  }
};
DeviceUse device_use();

using DeviceClock = std::chrono::steady_clock;

// Work that a device had from one time to the other, which may lie ahead: until then it counts in
// part. Of overlapping times each moment counts once; a time that is noted after a later one has
// ended may count in part.
void note_device_work(DeviceClock::time_point from, DeviceClock::time_point to);
void note_device_batch(int rows);
// The calling thread has waited since then.
void note_device_wait(DeviceClock::time_point since);

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
