#pragma once
// A GPU's streams, and planes as they travel to it: a bit a square. Includes no LibTorch.

#include <cstdint>
#include <memory>

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
enum class ScalarType : std::int8_t;
class Stream;
}  // namespace c10

namespace nn {

// A stream that nobody else uses while this exists: what another thread gave it while its work is
// recorded (nn/device_graph.h) would be recorded with it. LibTorch's own are shared once there are
// more than 32. Stays with the process, so that the memory LibTorch keeps for it is used again.
class OwnStream {
 public:
  // First: what it is given comes before the others' where the device has the choice.
  enum class Turn { kLast, kFirst };
  OwnStream(const c10::Device& device, Turn turn);
  ~OwnStream();  // REQUIRES: its work is done
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  const c10::Stream& get() const { return *stream_; }

 private:
  Turn turn_;
  std::unique_ptr<c10::Stream> stream_;
};

// Waits, without using a core, until the device has done all that the stream was given. Throws
// DeviceHungError where that takes longer than kLongestWait_s (nn/device_use.h), and what
// LibTorch throws where the device has failed.
void wait_for(const c10::Stream& stream);

// Returns the planes [n, planes, 8, 8] of 64-bit words [n, planes], 0 or 1 of that type,
// channels-last, on the words' device.
at::Tensor expanded(const at::Tensor& packed, c10::ScalarType type);

}  // namespace nn
