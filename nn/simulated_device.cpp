#include "nn/simulated_device.h"

#include <algorithm>
#include <map>
#include <thread>

#include "nn/device_use.h"

namespace nn {
namespace {

using Duration = std::chrono::steady_clock::duration;

Duration duration(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

SimulatedDevice::Work SimulatedDevice::start_batch(int rows) {
  if (times_.memory_rows > 0 && rows > times_.memory_rows) {
    throw DeviceMemoryError("device " + name_ + ": no memory for a batch of " +
                            std::to_string(rows) + " positions");
  }
  const std::int64_t number = ++batches_;
  const auto every = static_cast<std::int64_t>(times_.fail_every);
  return {queue(times_.batch_us(rows)), every > 0 && number % every == 0};
}

SimulatedDevice::TimePoint SimulatedDevice::queue(double us) {
  const std::lock_guard lock(mutex_);
  if (times_.hang_after > 0 && static_cast<double>(batches_) > times_.hang_after) {
    return TimePoint::max();
  }
  const TimePoint from = std::max(free_at_, std::chrono::steady_clock::now());
  free_at_ = from + duration(us / 1e6);
  note_device_work(from, free_at_);
  return free_at_;
}

void SimulatedDevice::wait_for(TimePoint done) const {
  const TimePoint latest = std::chrono::steady_clock::now() + duration(times_.timeout_s);
  std::this_thread::sleep_until(std::min(done, latest));
  if (done > latest) throw DeviceHungError(name_, times_.timeout_s);
}

SimulatedDevice& simulated_device(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, SimulatedDevice> devices;
  const std::lock_guard lock(mutex);
  return devices.try_emplace(name, parse_device_name(name).times, name).first->second;
}

}  // namespace nn
