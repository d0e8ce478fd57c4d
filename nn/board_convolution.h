#pragma once
// Convolutions of the board in floats on a CPU.

#include <cstddef>

#include "nn/float_kernels.h"
#include "nn/folded_weights.h"
#include "nn/packed_affine.h"

namespace nn {

// A 3×3 convolution of the 8×8 board by Winograd's F(4×4, 3×3), which multiplies a quarter as often
// as the sum that defines it: each tile of 4×4 squares and those around it become 36 points, whose
// products with the weights' points are the tile's sums (Lavin and Gray, "Fast Algorithms for
// Convolutional Neural Networks", 2016, section 4.3). It answers each row alike, wherever it stands
// among however many rows, bit for bit.
class BoardConvolution {
 public:
  // Rows that one call takes at most: what lies between its steps should stay in the second-level
  // cache.
  static constexpr int kMostRows = 8;

  // REQUIRES: layer.kernel == 3.
  explicit BoardConvolution(const Convolution& layer,
                            const FloatKernels& kernels = float_kernels());

  // Floats that a call works in, and that calls of one thread may share.
  std::size_t scratch_size() const;
  // out = after(convolution of in): rows of [square][channel]. REQUIRES: rows <= kMostRows,
  // `scratch` of at least scratch_size().
  void operator()(const float* in, int rows, After after, float* out, AlignedFloats& scratch) const;

 private:
  std::size_t points_size(std::size_t rows, std::size_t channels) const;

  const FloatKernels* kernels_;
  std::size_t in_, out_;  // channels
  AlignedFloats weight_, bias_;
};

}  // namespace nn
