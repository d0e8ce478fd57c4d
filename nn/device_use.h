#pragma once
// How well the program's devices and the threads that wait for them are used. A CPU counts as none:
// there a thread computes its batch itself. Includes no LibTorch. For any thread.

#include <chrono>
#include <cstdint>

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

}  // namespace nn
