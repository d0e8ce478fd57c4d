#include "nn/float_layers.h"

#include <algorithm>
#include <array>

namespace nn {
namespace {

// G x of the paper.
std::array<double, 6> weight_points(double a, double b, double c) {
  return {
      a / 4, -(a + b + c) / 6, -(a - b + c) / 6, a / 24 + b / 12 + c / 6, a / 24 - b / 12 + c / 6,
      c};
}

// G w G^T of a 3×3 kernel, row by row.
std::array<double, kPoints> points_of(const float* w) {
  std::array<std::array<double, 6>, 3> rows;
  for (std::size_t y = 0; y < 3; ++y) {
    rows[y] = weight_points(w[3 * y], w[3 * y + 1], w[3 * y + 2]);
  }
  std::array<double, kPoints> points;
  for (std::size_t x = 0; x < 6; ++x) {
    const auto column = weight_points(rows[0][x], rows[1][x], rows[2][x]);
    for (std::size_t y = 0; y < 6; ++y) points[6 * y + x] = column[y];
  }
  return points;
}

}  // namespace

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

BoardConvolution::BoardConvolution(const Convolution& layer, const FloatKernels& kernels)
    : kernels_(&kernels),
      in_(static_cast<std::size_t>(layer.in)),
      out_(static_cast<std::size_t>(layer.out)) {
  const std::size_t lanes = kernels.lanes, registers = registers_for(out_, lanes);
  weight_ = AlignedFloats(kPoints * registers * in_ * lanes);
  bias_ = AlignedFloats(registers * lanes);
  std::copy_n(layer.bias.data(), out_, bias_.data());
  for (std::size_t o = 0; o < out_; ++o) {
    const std::size_t own = o / lanes, first = own / kernels.block * kernels.block;
    const std::size_t width = std::min(kernels.block, registers - first);
    for (std::size_t i = 0; i < in_; ++i) {
      const auto points = points_of(layer.weight.data() + (o * in_ + i) * 9);
      const std::size_t place = first * in_ + i * width + (own - first);
      for (std::size_t point = 0; point < kPoints; ++point) {
        weight_.data()[(point * registers * in_ + place) * lanes + o % lanes] =
            static_cast<float>(points[point]);
      }
    }
  }
}

std::size_t BoardConvolution::points_size(std::size_t rows, std::size_t channels) const {
  const std::size_t registers = registers_for(channels, kernels_->lanes);
  return kPoints * point_stride(rows, registers) * kernels_->lanes;
}

std::size_t BoardConvolution::scratch_size() const {
  return points_size(kMostRows, in_) + points_size(kMostRows, out_);
}

void BoardConvolution::operator()(const float* in, int rows, After after, float* out,
                                  AlignedFloats& scratch) const {
  const auto count = static_cast<std::size_t>(rows);
  float *const points = scratch.data(), *const products = points + points_size(count, in_);
  kernels_->to_points(in, count, in_, points);
  kernels_->multiply_points(points, count, in_, weight_.data(), out_, products);
  kernels_->from_points(products, count, out_, bias_.data(), after, out);
}

}  // namespace nn
