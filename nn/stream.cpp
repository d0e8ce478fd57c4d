#include "nn/stream.h"

#include <c10/core/Stream.h>

#include <chrono>
#include <thread>

#include "base/stopwatch.h"
#include "nn/device_faults.h"

namespace nn {

void wait_for(const c10::Stream& stream) {
  constexpr std::chrono::microseconds kBetweenLooks(30);
  const auto begin = std::chrono::steady_clock::now();
  while (!stream.query()) {
    if (base::seconds_since(begin) > kLongestWait_s) {
      throw DeviceHungError(stream.device().str(), kLongestWait_s);
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace nn
