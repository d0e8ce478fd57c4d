#pragma once
// A GPU's work that is repeated. Includes no LibTorch.

#include <functional>
#include <memory>

namespace nn {

// Work of a GPU that is recorded once and started again with one call, where each of its kernels
// would be a call that waits for the other threads' calls. Owned by one thread. REQUIRES: the
// current stream is the same, and not the default one, wherever it is recorded and started; the
// work is done when it is destroyed.
class DeviceGraph {
 public:
  // Whether LibTorch is one for CUDA.
  static bool available();

  // Records what `work` gives the stream; none of it is started. The work has run on the stream
  // before, waits for nothing, and copies nothing to or from the host: the same tensors are used
  // each time, and those that it makes belong to the graph. `like` (may be null): a graph of the
  // same stream, with which it shares memory; what that one made and nobody holds is overwritten.
  // Throws what LibTorch throws where the work cannot be recorded.
  explicit DeviceGraph(const std::function<void()>& work, const DeviceGraph* like = nullptr);
  ~DeviceGraph();
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;

  void start();

 private:
  struct Recorded;
  std::unique_ptr<Recorded> recorded_;
};

}  // namespace nn
