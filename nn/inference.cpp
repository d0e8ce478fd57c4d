#include "nn/inference.h"

#include <ATen/Parallel.h>

#include "nn/calibration.h"
#include "nn/folded_weights.h"
#include "nn/quantized_forward_pass.h"
#include "nn/torch_forward_pass.h"

namespace nn {
namespace {

std::unique_ptr<ForwardPass> form_of(const FoldedWeights& weights,
                                     const InferenceOptions& options) {
#ifdef SHARPZERO_INT8
  if (options.precision == Precision::kInt8) {
    return std::make_unique<QuantizedForwardPass>(weights, calibrate(weights, options.repertoire));
  }
#endif
  return std::make_unique<TorchForwardPass>(weights, options.device, options.precision,
                                            options.max_batch);
}

}  // namespace

Inference::Inference(const NetworkConfig& config, const Weights& weights,
                     const InferenceOptions& options)
    : form_(form_of(fold(config, weights), options)) {}
Inference::~Inference() = default;

void Inference::run(const Batch& batch, Outputs& outputs) {
  outputs.policy_logits.resize(batch.policy_indices.size());
  outputs.outcomes.resize(batch.positions.size());
  outputs.moves_left.resize(batch.positions.size());
  if (batch.size() > 0) form_->run(batch, outputs);
}

// A thread that asks for the first time gets the number that any thread has set last: so it asks
// before it sets its own.
OneTorchThread::OneTorchThread() : before_(at::get_num_threads()) { at::set_num_threads(1); }
OneTorchThread::~OneTorchThread() { at::set_num_threads(before_); }

void use_one_torch_thread() {
  at::get_num_threads();
  at::set_num_threads(1);
}

}  // namespace nn
