#pragma once
// The forward pass by LibTorch: on a CPU channels-last, on any device, in any precision it
// knows.

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "nn/folded_weights.h"
#include "nn/forward_pass.h"
#include "nn/precision.h"

namespace nn {

class TorchForwardPass final : public ForwardPass {
 public:
  // `batch_invariant` as in InferenceOptions. REQUIRES: a precision other than kInt8.
  TorchForwardPass(const FoldedWeights& weights, const std::string& device, Precision precision,
                   int max_batch, bool batch_invariant = false);
  ~TorchForwardPass() override;
  void run(const Batch& batch, Outputs& outputs) override;

  // Told each input of a block's convolutions, in their order, and that of the heads last: none is
  // negative, [position][square][channel].
  using Observer = std::function<void(std::span<const float> activations)>;
  // As run(), but tells the observer. REQUIRES: the CPU and kFloat32.
  void run_observed(const Batch& batch, const Observer& observer);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nn
