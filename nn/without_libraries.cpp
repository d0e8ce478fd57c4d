// `sharpzero` has no LibTorch: it plays networks on the CPU, in fp32.

#include <stdexcept>

#include "base/errors.h"
#include "nn/device.h"
#include "nn/device_name.h"
#include "nn/libraries.h"
#include "nn/torch_threads.h"

namespace nn {

std::vector<Precision> library_precisions() { return {}; }

std::unique_ptr<ForwardPass> library_forward_pass(const FoldedWeights&,
                                                  const std::optional<ActivationSteps>&,
                                                  const InferenceOptions& options) {
  throw std::logic_error("no library for " + name(options.precision) + " on " + options.device);
}

std::string resolve_device(const std::string& device) {
  const DeviceKind kind = parse_device_name(device).kind;
  if (kind == DeviceKind::kAuto || kind == DeviceKind::kCpu) return "cpu";
  throw base::EnvironmentError("device " + device + ": only sharpzero-net has devices");
}

void use_one_torch_thread() {}
TorchThreads::TorchThreads(int) : before_(1) {}
TorchThreads::~TorchThreads() { static_cast<void>(before_); }

}  // namespace nn
