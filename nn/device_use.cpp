#include "nn/device_use.h"

#include <algorithm>
#include <mutex>

namespace nn {
namespace {

double seconds(DeviceClock::duration time) { return std::chrono::duration<double>(time).count(); }

std::mutex mutex;  // guards what follows
DeviceUse use;
DeviceClock::time_point last_end;  // of all work that was noted

}  // namespace

DeviceUse device_use() {
  const std::lock_guard lock(mutex);
  DeviceUse now = use;
  now.busy_s -= std::max(0.0, seconds(last_end - DeviceClock::now()));
  return now;
}

void note_device_work(DeviceClock::time_point from, DeviceClock::time_point to) {
  const std::lock_guard lock(mutex);
  if (to <= last_end) return;
  use.busy_s += seconds(to - std::max(from, last_end));
  last_end = to;
}

void note_device_batch(int rows) {
  const std::lock_guard lock(mutex);
  ++use.batches;
  use.rows += rows;
}

void note_device_wait(DeviceClock::time_point since) {
  const double waited = seconds(DeviceClock::now() - since);
  const std::lock_guard lock(mutex);
  use.waited_s += waited;
}

}  // namespace nn
