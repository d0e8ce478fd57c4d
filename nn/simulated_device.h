#pragma once
// A device of which only the time is real. Includes no LibTorch.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "nn/device_name.h"

namespace nn {

// Takes batches and learning steps as a GPU does: one queue, in the order of their coming but for
// SimulatedTimes::priority, each done after its time. Uses no core: those who wait for it sleep.
// Hangs where its times say so. For any thread.
class SimulatedDevice {
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Entry {
    TimePoint begin, done;  // TimePoint::max(): never
  };

 public:
  using Work = std::shared_ptr<Entry>;

  explicit SimulatedDevice(const SimulatedTimes& times, std::string name = "simulated")
      : times_(times), name_(std::move(name)) {}
  // Throws DeviceMemoryError where it has no memory for so many rows.
  Work start_batch(int rows);
  // Sleeps until it is done. Throws DeviceHungError where that is later than in `timeout_s`.
  void wait_for(const Work& work) const;
  // Does a learning step: its launches, of which each depends on the one before and so is queued
  // when that is done. Throws as wait_for().
  void take_step(int rows);

 private:
  std::shared_ptr<Entry> queue(double us, bool first);
  TimePoint done_of(const Work& work) const;

  const SimulatedTimes times_;
  const std::string name_;
  mutable std::mutex mutex_;                   // guards the next, and what they point to
  std::deque<std::shared_ptr<Entry>> queued_;  // not done when the last one was queued
  std::atomic<std::int64_t> batches_ = 0;
};

// The device of that name, one in the program. REQUIRES: parse_device_name(name) is simulated.
SimulatedDevice& simulated_device(const std::string& name);

// Whether the device's name is a simulated one's.
inline bool is_simulated(const std::string& device) {
  return parse_device_name(device).kind == DeviceKind::kSimulated;
}

}  // namespace nn
