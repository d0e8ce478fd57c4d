#pragma once
// A GPU's streams. Includes no LibTorch.

namespace c10 {
class Stream;
}

namespace nn {

// Waits, without using a core, until the device has done all that the stream was given. Throws
// DeviceHungError where that takes longer than kLongestWait_s (nn/device_faults.h), and what
// LibTorch throws where the device has failed.
void wait_for(const c10::Stream& stream);

}  // namespace nn
