#include "nn/packed_affine.h"

#include <algorithm>
#include <cstddef>

namespace nn {
namespace {

constexpr int kRowsAtOnce = 8;  // for which a weight is read once

// PackedAffine::operator() for kRows rows of `inputs` and `outputs` numbers. Not inlined, and with
// copies of the sums alone in memory: so the compiler keeps these in registers.
template <int kRows>
[[gnu::noinline]] void multiply(const float* in, std::ptrdiff_t inputs, const Lanes* weight,
                                const Lanes* bias, std::ptrdiff_t outputs, float* out) {
  for (std::ptrdiff_t first = 0; first < outputs; first += std::ptrdiff_t{kLanes}, ++bias) {
    Lanes sums[kRows];
    for (Lanes& sum : sums) sum = *bias;
    for (std::ptrdiff_t i = 0; i < inputs; ++i, ++weight) {
      const Lanes each = *weight;
      for (int row = 0; row < kRows; ++row) {
        sums[row] = add_product(sums[row], in[row * inputs + i], each);
      }
    }
    for (int row = 0; row < kRows; ++row) {
      const Lanes sum = sums[row];  // a copy: store() takes it from memory
      store(sum, out + row * outputs + first, static_cast<std::size_t>(outputs - first));
    }
  }
}

}  // namespace

PackedAffine::PackedAffine(const Affine& layer)
    : in_(layer.in), out_(layer.out), bias_(registers_for(static_cast<std::size_t>(out_))) {
  weight_.resize(bias_.size() * static_cast<std::size_t>(in_));
  const float* value = layer.weight.data();
  for (std::size_t o = 0; o < static_cast<std::size_t>(out_); ++o) {
    bias_[o / kLanes][o % kLanes] = layer.bias[o];
    Lanes* const column = weight_.data() + o / kLanes * static_cast<std::size_t>(in_);
    for (int i = 0; i < in_; ++i) column[i][o % kLanes] = *value++;
  }
}

void PackedAffine::operator()(const float* in, int rows, float* out) const {
  const std::ptrdiff_t inputs = in_, outputs = out_;
  for (; rows >= kRowsAtOnce; rows -= kRowsAtOnce) {
    multiply<kRowsAtOnce>(in, inputs, weight_.data(), bias_.data(), outputs, out);
    in += kRowsAtOnce * inputs;
    out += kRowsAtOnce * outputs;
  }
  for (; rows > 0; --rows, in += inputs, out += outputs) {
    multiply<1>(in, inputs, weight_.data(), bias_.data(), outputs, out);
  }
}

}  // namespace nn
