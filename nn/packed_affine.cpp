#include "nn/packed_affine.h"

namespace nn {

PackedAffine::PackedAffine(const Affine& layer, const FloatKernels& kernels)
    : kernels_(&kernels), in_(layer.in), out_(layer.out) {
  const auto inputs = static_cast<std::size_t>(in_), outputs = static_cast<std::size_t>(out_);
  const std::size_t lanes = kernels.lanes, registers = registers_for(outputs, lanes);
  weight_ = AlignedFloats(registers * inputs * lanes);
  bias_ = AlignedFloats(registers * lanes);
  for (std::size_t o = 0; o < outputs; ++o) {
    bias_.data()[o] = layer.bias[o];
    float* const column = weight_.data() + o / lanes * inputs * lanes + o % lanes;
    for (std::size_t i = 0; i < inputs; ++i) column[i * lanes] = layer.weight[o * inputs + i];
  }
}

}  // namespace nn
