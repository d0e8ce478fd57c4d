#pragma once
// Layers in floats on a CPU, their weights laid out for its registers. All of a network's layers
// are made for one level.

#include <cstddef>
#include <vector>

#include "base/cpu_level.h"
#include "nn/float_kernels.h"
#include "nn/folded_weights.h"

namespace nn {

inline const FloatKernels& float_kernels(base::CpuLevel level = base::cpu_level()) {
  return *kFloatKernels[static_cast<std::size_t>(level)];
}

// Floats aligned to 64 bytes, all 0 at first.
class AlignedFloats {
 public:
  explicit AlignedFloats(std::size_t count = 0) : lines_((count + 15) / 16) {}
  float* data() { return lines_.empty() ? nullptr : lines_.front().floats; }
  const float* data() const { return lines_.empty() ? nullptr : lines_.front().floats; }

 private:
  struct alignas(64) Line {
    float floats[16] = {};
  };
  std::vector<Line> lines_;
};

// An affine layer that answers each row alike, wherever it stands among however many rows, bit for
// bit: it sums in the order of the inputs. BLAS does not promise that: OpenBLAS's kernel for AVX2
// takes rows by twelves and the last ones by fours, and rounds otherwise in these.
class PackedAffine {
 public:
  explicit PackedAffine(const Affine& layer, const FloatKernels& kernels = float_kernels());
  int in() const { return in_; }
  int out() const { return out_; }
  // out[row] = bias + weight * in[row], for rows of in() and out() numbers.
  void operator()(const float* in, int rows, float* out) const {
    kernels_->affine(in, rows, in_, weight_.data(), bias_.data(), out_, out);
  }

 private:
  const FloatKernels* kernels_;
  int in_, out_;
  AlignedFloats weight_, bias_;
};

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
