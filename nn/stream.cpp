#include "nn/stream.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#ifdef SHARPZERO_CUDA
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "nn/device_use.h"

namespace nn {
namespace {

c10::Stream new_stream(c10::Device device, OwnStream::Turn turn) {
  const bool first = turn == OwnStream::Turn::kFirst;
#ifdef SHARPZERO_CUDA
  const c10::DeviceGuard guard(device);
  int least = 0, greatest = 0;
  cudaStream_t stream = nullptr;
  C10_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  C10_CUDA_CHECK(
      cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first ? greatest : least));
  return c10::cuda::getStreamFromExternal(stream, device.index());
#else
  return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device, first);
#endif
}

// Streams that were given back, by device and turn.
struct Spare {
  std::mutex mutex;
  std::map<std::pair<int, OwnStream::Turn>, std::vector<c10::Stream>> streams;
};

Spare& spare() {
  static Spare all;
  return all;
}

}  // namespace

OwnStream::OwnStream(const c10::Device& of, Turn turn) : turn_(turn) {
  const c10::Device device =
      of.has_index() ? of : c10::impl::VirtualGuardImpl(of.type()).getDevice();
  const std::lock_guard lock(spare().mutex);
  auto& streams = spare().streams[{device.index(), turn}];
  if (streams.empty()) streams.push_back(new_stream(device, turn));
  stream_ = std::make_unique<c10::Stream>(streams.back());
  streams.pop_back();
}

OwnStream::~OwnStream() {
  const std::lock_guard lock(spare().mutex);
  spare().streams[{stream_->device_index(), turn_}].push_back(*stream_);
}

void wait_for(const c10::Stream& stream) {
  // Each look takes the driver's lock: the longer it takes, the fewer.
  const auto pause = [](double waited_s) {
    return std::chrono::microseconds(std::clamp(static_cast<int>(1e6 * waited_s / 8), 30, 500));
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

at::Tensor expanded(const at::Tensor& packed, c10::ScalarType type) {
  const at::Tensor shifts = at::arange(64, packed.options());
  return packed.unsqueeze(1)
      .bitwise_right_shift(shifts.view({1, 64, 1}))
      .bitwise_and(1)
      .to(type)
      .view({packed.size(0), 8, 8, packed.size(1)})
      .permute({0, 3, 1, 2});
}

}  // namespace nn
