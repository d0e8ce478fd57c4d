#include "nn/packed_affine.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace nn {
namespace {

constexpr int kLanes = sizeof(Lanes) / sizeof(float);
constexpr int kRowsAtOnce = 8;  // for which a weight is read once

// sum + x * weight, rounded once where the processor can.
Lanes add_product(Lanes sum, float x, Lanes weight) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(_mm512_set1_ps(x), weight, sum);
#elif defined(__FMA__)
  return _mm256_fmadd_ps(_mm256_set1_ps(x), weight, sum);
#else
  return sum + x * weight;
#endif
}

// PackedAffine::operator() for kRows rows of `inputs` and `outputs` numbers. Not inlined, and with
// copies of the sums alone in memory: so the compiler keeps these in registers.
template <int kRows>
[[gnu::noinline]] void multiply(const float* in, std::ptrdiff_t inputs, const Lanes* weight,
                                const Lanes* bias, std::ptrdiff_t outputs, float* out) {
  for (std::ptrdiff_t first = 0; first < outputs; first += kLanes, ++bias) {
    Lanes sums[kRows];
    for (Lanes& sum : sums) sum = *bias;
    for (std::ptrdiff_t i = 0; i < inputs; ++i, ++weight) {
      const Lanes each = *weight;
      for (int row = 0; row < kRows; ++row) {
        sums[row] = add_product(sums[row], in[row * inputs + i], each);
      }
    }
    const std::ptrdiff_t wanted = outputs - first;
    for (int row = 0; row < kRows; ++row) {
      const Lanes sum = sums[row];
      float* const to = out + row * outputs + first;
      if (wanted >= kLanes) {
        std::memcpy(to, &sum, sizeof sum);
      } else {
        std::memcpy(to, &sum, static_cast<std::size_t>(wanted) * sizeof(float));
      }
    }
  }
}

}  // namespace

PackedAffine::PackedAffine(const Affine& layer)
    : in_(layer.in),
      out_(layer.out),
      weight_(static_cast<std::size_t>((out_ + kLanes - 1) / kLanes * in_)),
      bias_(static_cast<std::size_t>((out_ + kLanes - 1) / kLanes)) {
  const float* value = layer.weight.data();
  for (int o = 0; o < out_; ++o) {
    const auto block = static_cast<std::size_t>(o / kLanes);
    bias_[block][o % kLanes] = layer.bias[static_cast<std::size_t>(o)];
    Lanes* const column = weight_.data() + block * static_cast<std::size_t>(in_);
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
