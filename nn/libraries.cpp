#include "nn/libraries.h"

#include <string>

#include "base/processor.h"

#ifdef SHARPZERO_INT8
#include <oneapi/dnnl/dnnl.h>
#endif

namespace nn {
namespace {

// Bits of oneDNN's levels (dnnl_cpu_isa_t), each of which includes those below it.
constexpr unsigned kBFloat16Level = 0x80;                        // AVX512_CORE_BF16
[[maybe_unused]] constexpr unsigned kVnniLevels = 0x40 | 0x400;  // AVX512_CORE_VNNI, AVX2_VNNI

// Whether the processor has an instruction set of that kind ("_vnni"), and oneDNN is not held below
// the levels that use it (by ONEDNN_MAX_CPU_ISA).
bool has_instructions(const char* kind, [[maybe_unused]] unsigned levels) {
#ifdef SHARPZERO_INT8
  const auto used = static_cast<unsigned>(dnnl_get_effective_cpu_isa());
  if (used != dnnl_cpu_isa_all && (used & levels) == 0) return false;
#endif
  return base::processor().find(kind) != std::string::npos;
}

}  // namespace

std::vector<Precision> library_precisions() {
  std::vector<Precision> known;
  if (has_instructions("bf16", kBFloat16Level)) known.push_back(Precision::kBFloat16);
#ifdef SHARPZERO_INT8
  if (has_instructions("_vnni", kVnniLevels)) known.push_back(Precision::kInt8);
#endif
  return known;
}

std::unique_ptr<ForwardPass> library_forward_pass(
    const FoldedWeights& weights, [[maybe_unused]] const std::optional<ActivationSteps>& steps,
    const InferenceOptions& options) {
#ifdef SHARPZERO_INT8
  if (steps) return quantized_forward_pass(weights, *steps);
#endif
  return torch_forward_pass(weights, options.device, options.precision, options.max_batch,
                            options.batch_invariant);
}

}  // namespace nn
