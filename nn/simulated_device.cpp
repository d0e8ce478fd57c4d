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
  ++batches_;
  return queue(times_.batch_us(rows), false);
}

// `first`: before all that has not begun.
std::shared_ptr<SimulatedDevice::Entry> SimulatedDevice::queue(double us, bool first) {
  const std::lock_guard lock(mutex_);
  if (times_.hang_after > 0 && static_cast<double>(batches_) > times_.hang_after) {
    return std::make_shared<Entry>(Entry{TimePoint::max(), TimePoint::max()});
  }
  const TimePoint now = std::chrono::steady_clock::now();
  while (!queued_.empty() && queued_.front()->done <= now) queued_.pop_front();
  const auto waits = [now](const auto& entry) { return entry->begin > now; };
  const auto at = first ? std::ranges::find_if(queued_, waits) : queued_.end();
  const Duration time = duration(us / 1e6);
  const TimePoint free_at = queued_.empty() ? now : queued_.back()->done;
  const TimePoint begin = at == queued_.end() ? free_at : (*at)->begin;
  for (auto later = at; later != queued_.end(); ++later) {
    (*later)->begin += time;
    (*later)->done += time;
  }
  note_device_work(free_at, free_at + time);
  return *queued_.insert(at, std::make_shared<Entry>(Entry{begin, begin + time}));
}

SimulatedDevice::TimePoint SimulatedDevice::done_of(const Work& work) const {
  const std::lock_guard lock(mutex_);
  return work->done;
}

void SimulatedDevice::wait_for(const Work& work) const {
  const TimePoint latest = std::chrono::steady_clock::now() + duration(times_.timeout_s);
  TimePoint done, expected = done_of(work);
  do {  // until it was not put off meanwhile
    done = expected;
    std::this_thread::sleep_until(std::min(done, latest));
    if (done > latest) throw DeviceHungError(name_, times_.timeout_s);
    expected = done_of(work);
  } while (expected > done);
}

void SimulatedDevice::take_step(int rows) {
  const auto launches = static_cast<int>(std::max(times_.step_launches, 1.0));
  for (int i = 0; i < launches; ++i) {
    wait_for(queue(times_.learning_step_us(rows) / launches, times_.priority > 0));
  }
}

SimulatedDevice& simulated_device(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, SimulatedDevice> devices;
  const std::lock_guard lock(mutex);
  return devices.try_emplace(name, parse_device_name(name).times, name).first->second;
}

}  // namespace nn
