#pragma once
// What LibTorch and oneDNN add to the program's own forward pass: libraries.cpp in sharpzero-net;
// without_libraries.cpp in `sharpzero`, which has neither, nor a GPU.

#include <memory>
#include <optional>
#include <vector>

#include "nn/folded_weights.h"
#include "nn/forward_pass.h"
#include "nn/inference.h"
#include "nn/precision.h"

namespace nn {

// The precisions that they have on this CPU.
std::vector<Precision> library_precisions();

// `steps`: of int8. REQUIRES: a precision of theirs.
std::unique_ptr<ForwardPass> library_forward_pass(const FoldedWeights& weights,
                                                  const std::optional<ActivationSteps>& steps,
                                                  const InferenceOptions& options);

}  // namespace nn
