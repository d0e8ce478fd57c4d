#include "nn/stream.h"

#include <c10/core/Stream.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/stopwatch.h"
#include "nn/device_faults.h"
#include "nn/tried.h"

namespace nn {

void wait_for(const c10::Stream& stream) {
  using std::chrono::microseconds;
  const auto pause = [&](double waited_s) {
    if (!tried('q')) return microseconds(30);
    return microseconds(std::clamp(static_cast<int>(1e6 * waited_s / 8), 30, 500));
  };
  const auto begin = std::chrono::steady_clock::now();
  while (!stream.query()) {
    const double waited_s = base::seconds_since(begin);
    if (waited_s > kLongestWait_s) {
      throw DeviceHungError(stream.device().str(), kLongestWait_s);
    }
    std::this_thread::sleep_for(pause(waited_s));
  }
}

}  // namespace nn
