#include "nn/board_convolution.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace nn {
namespace {

constexpr int kTilesInRow = 2;                             // of 4×4 squares
constexpr std::size_t kTiles = kTilesInRow * kTilesInRow;  // of a board
constexpr std::size_t kPoints = 36;      // at which polynomials are multiplied: 6×6
constexpr std::size_t kTilesAtOnce = 4;  // for which a weight is read once
// Registers of outputs for which an input is read once: with kTilesAtOnce sums in each they fit the
// processor's registers.
#if defined(__AVX512F__)
constexpr std::size_t kBlock = 4;
#elif defined(__AVX__)
constexpr std::size_t kBlock = 3;
#else
constexpr std::size_t kBlock = 2;
#endif

// Registers from one point to the next of as many tiles and channels: not a power of two, for then
// the points of a tile would share a few lines of the cache.
std::size_t point_stride(std::size_t tiles, std::size_t groups) { return tiles * groups + 2; }

// B^T x of the paper.
std::array<Lanes, 6> input_points(const std::array<Lanes, 6>& x) {
  const Lanes even = x[4] - 4 * x[2], odd = x[3] - 4 * x[1];
  const Lanes even2 = x[4] - x[2], odd2 = 2 * (x[3] - x[1]);
  return {4 * x[0] - 5 * x[2] + x[4], even + odd, even - odd, even2 + odd2, even2 - odd2,
          4 * x[1] - 5 * x[3] + x[5]};
}

// A^T x of the paper.
std::array<Lanes, 4> output_points(const std::array<Lanes, 6>& x) {
  const Lanes sum1 = x[1] + x[2], difference1 = x[1] - x[2];
  const Lanes sum2 = x[3] + x[4], difference2 = x[3] - x[4];
  return {x[0] + sum1 + sum2, difference1 + 2 * difference2, sum1 + 4 * sum2,
          difference1 + 8 * difference2 + x[5]};
}

// G x of the paper.
std::array<double, 6> weight_points(double a, double b, double c) {
  return {
      a / 4, -(a + b + c) / 6, -(a - b + c) / 6, a / 24 + b / 12 + c / 6, a / 24 - b / 12 + c / 6,
      c};
}

}  // namespace

BoardConvolution::BoardConvolution(const Convolution& layer)
    : in_(static_cast<std::size_t>(layer.in)),
      out_(static_cast<std::size_t>(layer.out)),
      in_groups_(registers_for(in_)),
      out_groups_(registers_for(out_)),
      weight_(kPoints * out_groups_ * in_),
      bias_(out_groups_) {
  for (std::size_t o = 0; o < out_; ++o) bias_[o / kLanes][o % kLanes] = layer.bias[o];
  for (std::size_t o = 0; o < out_; ++o) {
    const std::size_t group = o / kLanes, first = group / kBlock * kBlock;
    const std::size_t width = std::min(kBlock, out_groups_ - first);
    for (std::size_t i = 0; i < in_; ++i) {
      const float* const w = layer.weight.data() + (o * in_ + i) * 9;
      std::array<std::array<double, 6>, 3> by_row;
      for (std::size_t y = 0; y < 3; ++y) {
        by_row[y] = weight_points(w[3 * y], w[3 * y + 1], w[3 * y + 2]);
      }
      for (std::size_t x = 0; x < 6; ++x) {
        const auto column = weight_points(by_row[0][x], by_row[1][x], by_row[2][x]);
        for (std::size_t y = 0; y < 6; ++y) {
          const std::size_t of_point = (6 * y + x) * out_groups_ * in_;
          weight_[of_point + first * in_ + i * width + group - first][o % kLanes] =
              static_cast<float>(column[y]);
        }
      }
    }
  }
}

std::size_t BoardConvolution::scratch_size() const {
  const std::size_t tiles = kTiles * kMostRows;
  return kPoints * (point_stride(tiles, in_groups_) + point_stride(tiles, out_groups_));
}

void BoardConvolution::operator()(const float* in, int rows, After after, float* out,
                                  Scratch& scratch) const {
  const std::size_t tiles = static_cast<std::size_t>(rows) * kTiles;
  Lanes* const points = scratch.data();
  Lanes* const products = points + kPoints * point_stride(tiles, in_groups_);
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row, in += 64 * in_) {
    transform_input<0, 0>(in, row * kTiles, tiles, points);
    transform_input<0, 1>(in, row * kTiles + 1, tiles, points);
    transform_input<1, 0>(in, row * kTiles + 2, tiles, points);
    transform_input<1, 1>(in, row * kTiles + 3, tiles, points);
  }
  multiply(points, tiles, products);
  if (after == After::kNothing) transform_output<After::kNothing>(products, rows, out);
  if (after == After::kRelu) transform_output<After::kRelu>(products, rows, out);
  if (after == After::kAddToOutputThenRelu) {
    transform_output<After::kAddToOutputThenRelu>(products, rows, out);
  }
}

// Writes the tile's points: out[point][tile][group].
template <int kTileY, int kTileX>
void BoardConvolution::transform_input(const float* row, std::size_t tile, std::size_t tiles,
                                       Lanes* out) const {
  const std::size_t next_point = point_stride(tiles, in_groups_);
  for (std::size_t group = 0; group < in_groups_; ++group) {
    const std::size_t count = in_ - group * kLanes;
    std::array<std::array<Lanes, 6>, 6> columns;
    for (int x = 0; x < 6; ++x) {
      const int file = 4 * kTileX - 1 + x;
      std::array<Lanes, 6> seen{};
      for (int y = 0; y < 6; ++y) {
        const int rank = 4 * kTileY - 1 + y;
        if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
        seen[static_cast<std::size_t>(y)] =
            load(row + static_cast<std::size_t>(8 * rank + file) * in_ + group * kLanes, count);
      }
      columns[static_cast<std::size_t>(x)] = input_points(seen);
    }
    Lanes* to = out + tile * in_groups_ + group;
    for (std::size_t y = 0; y < 6; ++y) {
      const auto points = input_points({columns[0][y], columns[1][y], columns[2][y], columns[3][y],
                                        columns[4][y], columns[5][y]});
      for (std::size_t x = 0; x < 6; ++x, to += next_point) *to = points[x];
    }
  }
}

// out[point][tile][group of outputs] = weight[point] * in[point][tile].
void BoardConvolution::multiply(const Lanes* in, std::size_t tiles, Lanes* out) const {
  const Lanes* weight = weight_.data();
  for (std::size_t point = 0; point < kPoints; ++point) {
    for (std::size_t first = 0; first < out_groups_; first += kBlock) {
      const std::size_t width = std::min(kBlock, out_groups_ - first);
      switch (width) {
        case 1:
          multiply_block<1>(in, weight, tiles, out + first);
          break;
        case 2:
          multiply_block<2>(in, weight, tiles, out + first);
          break;
        case 3:
          multiply_block<3>(in, weight, tiles, out + first);
          break;
        default:
          multiply_block<4>(in, weight, tiles, out + first);
          break;
      }
      weight += in_ * width;
    }
    in += point_stride(tiles, in_groups_);
    out += point_stride(tiles, out_groups_);
  }
}

template <int kVectors>
void BoardConvolution::multiply_block(const Lanes* in, const Lanes* weight, std::size_t tiles,
                                      Lanes* out) const {
  const std::size_t stride = in_groups_ * kLanes;
  for (std::size_t tile = 0; tile < tiles; tile += kTilesAtOnce) {
    const float* const x = reinterpret_cast<const float*>(in + tile * in_groups_);
    Lanes sums[kTilesAtOnce][kVectors] = {};
    const Lanes* w = weight;
    for (std::size_t i = 0; i < in_; ++i, w += kVectors) {
      for (std::size_t t = 0; t < kTilesAtOnce; ++t) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          sums[t][v] = add_product(sums[t][v], x[t * stride + i], w[v]);
        }
      }
    }
    for (std::size_t t = 0; t < kTilesAtOnce; ++t) {
      for (std::size_t v = 0; v < kVectors; ++v) out[(tile + t) * out_groups_ + v] = sums[t][v];
    }
  }
}

// Reads in[point][tile][group].
template <After kAfter>
void BoardConvolution::transform_output(const Lanes* in, int rows, float* out) const {
  const std::size_t tiles = static_cast<std::size_t>(rows) * kTiles;
  const std::size_t next_point = point_stride(tiles, out_groups_);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    float* const board = out + tile / kTiles * 64 * out_;
    const std::size_t corner = tile % kTiles / 2 * 32 + tile % 2 * 4;  // its first square
    for (std::size_t group = 0; group < out_groups_; ++group) {
      const Lanes* const from = in + tile * out_groups_ + group;
      const std::size_t count = out_ - group * kLanes;
      std::array<std::array<Lanes, 4>, 6> columns;
      for (std::size_t x = 0; x < 6; ++x) {
        std::array<Lanes, 6> points;
        for (std::size_t y = 0; y < 6; ++y) points[y] = from[(6 * y + x) * next_point];
        columns[x] = output_points(points);
      }
      for (std::size_t y = 0; y < 4; ++y) {
        const auto sums = output_points({columns[0][y], columns[1][y], columns[2][y], columns[3][y],
                                         columns[4][y], columns[5][y]});
        for (std::size_t x = 0; x < 4; ++x) {
          float* const to = board + (corner + 8 * y + x) * out_ + group * kLanes;
          Lanes sum = sums[x] + bias_[group];
          if (kAfter == After::kAddToOutputThenRelu) sum += load(to, count);
          if (kAfter != After::kNothing) sum = Lanes{} > sum ? Lanes{} : sum;  // NaN stays
          store(sum, to, count);
        }
      }
    }
  }
}

}  // namespace nn
