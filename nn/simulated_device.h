#pragma once
// A device of which only the time is real. Includes no LibTorch.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "nn/device_name.h"

namespace nn {

// Takes batches and learning steps as a GPU does: one queue, in the order of their coming, each
// done after its time. Uses no core: those who wait for it sleep. Fails where its times say so. For
// any thread.
class SimulatedDevice {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // TimePoint::max(): never.
  struct Work {
    TimePoint done;
    bool fails = false;
  };

  explicit SimulatedDevice(const SimulatedTimes& times, std::string name = "simulated")
      : times_(times), name_(std::move(name)) {}
  // Throws DeviceMemoryError where it has no memory for so many rows.
  Work start_batch(int rows);
  TimePoint start_step(int rows) { return queue(times_.learning_step_us(rows)); }
  // Sleeps until then. Throws DeviceHungError where that is later than in `timeout_s`.
  void wait_for(TimePoint done) const;

 private:
  TimePoint queue(double us);

  const SimulatedTimes times_;
  const std::string name_;
  std::mutex mutex_;
  TimePoint free_at_;  // when all that was queued is done; guarded by the mutex
  std::atomic<std::int64_t> batches_ = 0;
};

// The device of that name, one in the program. REQUIRES: parse_device_name(name) is simulated.
SimulatedDevice& simulated_device(const std::string& name);

// Whether the device's name is a simulated one's.
inline bool is_simulated(const std::string& device) {
  return parse_device_name(device).kind == DeviceKind::kSimulated;
}

}  // namespace nn
