#include "nn/simulated_device.h"

#include <algorithm>
#include <map>

#include "nn/device_use.h"

namespace nn {

SimulatedDevice::TimePoint SimulatedDevice::queue(double us) {
  using Duration = std::chrono::steady_clock::duration;
  const auto takes =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::micro>(us));
  const std::lock_guard lock(mutex_);
  const TimePoint from = std::max(free_at_, std::chrono::steady_clock::now());
  free_at_ = from + takes;
  note_device_work(from, free_at_);
  return free_at_;
}

SimulatedDevice& simulated_device(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, SimulatedDevice> devices;
  const std::lock_guard lock(mutex);
  return devices.try_emplace(name, parse_device_name(name).times).first->second;
}

}  // namespace nn
