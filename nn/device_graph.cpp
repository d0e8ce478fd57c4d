#include "nn/device_graph.h"

#ifdef SHARPZERO_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/InferenceMode.h>

#include <mutex>
#endif

namespace nn {

#ifdef SHARPZERO_CUDA

struct DeviceGraph::Recorded {
  at::cuda::CUDAGraph graph;
};

bool DeviceGraph::available() { return true; }

// LibTorch's generator of random numbers notes each recording, in tensors of its own: they must not
// be ones of InferenceMode, and one thread records at a time. Other threads may use the device
// meanwhile as they like (relaxed).
DeviceGraph::DeviceGraph(const std::function<void()>& work, const DeviceGraph* like)
    : recorded_(std::make_unique<Recorded>()) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  at::cuda::CUDAGraph& graph = recorded_->graph;
  const auto pool = like ? like->recorded_->graph.pool() : c10::MempoolId_t{0, 0};
  const auto end = [&graph] {
    const c10::InferenceMode off(false);
    graph.capture_end();
  };
  {
    const c10::InferenceMode off(false);
    graph.capture_begin(pool, cudaStreamCaptureModeRelaxed);
  }
  try {
    work();
  } catch (...) {
    try {
      end();
    } catch (const c10::Error&) {  // the recording is invalid, as it should be
    }
    throw;
  }
  end();
}

void DeviceGraph::start() {
  const c10::InferenceMode off(false);
  recorded_->graph.replay();
}

#else

struct DeviceGraph::Recorded {};

bool DeviceGraph::available() { return false; }
DeviceGraph::DeviceGraph(const std::function<void()>&, const DeviceGraph*) {}
void DeviceGraph::start() {}

#endif

DeviceGraph::~DeviceGraph() = default;

}  // namespace nn
