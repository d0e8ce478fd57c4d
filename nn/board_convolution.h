#pragma once
// Convolutions of the board in floats on a CPU.

#include <cstddef>
#include <vector>

#include "nn/folded_weights.h"
#include "nn/lanes.h"

namespace nn {

// A 3×3 convolution of the 8×8 board by Winograd's F(4×4, 3×3), which multiplies a quarter as often
// as the sum that defines it (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks",
// 2016, section 4.3). It answers each row alike, wherever it stands among however many rows, bit
// for bit.
class BoardConvolution {
 public:
  // Rows that one call takes at most: what lies between its steps should stay in the second-level
  // cache.
  static constexpr int kMostRows = 8;

  // REQUIRES: layer.kernel == 3.
  explicit BoardConvolution(const Convolution& layer);

  // Memory that a call works in, and that calls of one thread may share.
  using Scratch = std::vector<Lanes>;
  std::size_t scratch_size() const;  // in Lanes

  // out = after(convolution of in): rows of [square][channel]. REQUIRES: rows <= kMostRows,
  // `scratch` of at least scratch_size().
  void operator()(const float* in, int rows, After after, float* out, Scratch& scratch) const;

 private:
  template <int kTileY, int kTileX>
  void transform_input(const float* row, std::size_t tile, std::size_t tiles, Lanes* out) const;
  void multiply(const Lanes* in, std::size_t tiles, Lanes* out) const;
  template <int kVectors>
  void multiply_block(const Lanes* in, const Lanes* weight, std::size_t tiles, Lanes* out) const;
  template <After kAfter>
  void transform_output(const Lanes* in, int rows, float* out) const;

  std::size_t in_, out_;                // channels
  std::size_t in_groups_, out_groups_;  // registers that hold them
  std::vector<Lanes> weight_;           // [point][block of outputs][in][register of the block]
  std::vector<Lanes> bias_;             // [out_groups_]
};

}  // namespace nn
