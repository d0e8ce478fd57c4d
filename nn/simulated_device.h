#pragma once
// A device of which only the time is real. Includes no LibTorch.

#include <chrono>
#include <mutex>
#include <string>

#include "nn/device_name.h"

namespace nn {

// Takes batches and learning steps as a GPU does: one queue, in the order of their coming, each
// done after its time. Uses no core: those who wait for it sleep. For any thread.
class SimulatedDevice {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit SimulatedDevice(const SimulatedTimes& times) : times_(times) {}
  // Returns when it will be done; std::this_thread::sleep_until() waits for it.
  TimePoint start_batch(int rows) { return queue(times_.batch_us(rows)); }
  TimePoint start_step(int rows) { return queue(times_.learning_step_us(rows)); }

 private:
  TimePoint queue(double us);

  const SimulatedTimes times_;
  std::mutex mutex_;
  TimePoint free_at_;  // when all that was queued is done; guarded by the mutex
};

// The device of that name, one in the program. REQUIRES: parse_device_name(name) is simulated.
SimulatedDevice& simulated_device(const std::string& name);

// Whether the device's name is a simulated one's.
inline bool is_simulated(const std::string& device) {
  return parse_device_name(device).kind == DeviceKind::kSimulated;
}

}  // namespace nn
