#include "nn/float_kernels.h"

#include <string.h>

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace nn::SHARPZERO_LEVEL {
namespace {

// What is wider than a register the compiler keeps in memory. kBlock: with kTilesAtOnce sums in
// each such registers of outputs fit the processor's registers.
#if defined(__AVX512F__)
using Lanes [[gnu::vector_size(64)]] = float;
constexpr size_t kBlock = 4;
inline Lanes add_product(Lanes sum, Lanes x, Lanes y) { return _mm512_fmadd_ps(x, y, sum); }
#elif defined(__FMA__)
using Lanes [[gnu::vector_size(32)]] = float;
constexpr size_t kBlock = 3;
inline Lanes add_product(Lanes sum, Lanes x, Lanes y) { return _mm256_fmadd_ps(x, y, sum); }
#else
using Lanes [[gnu::vector_size(16)]] = float;
constexpr size_t kBlock = 2;
inline Lanes add_product(Lanes sum, Lanes x, Lanes y) { return sum + x * y; }
#endif
constexpr size_t kLanes = sizeof(Lanes) / sizeof(float);
constexpr size_t kTilesAtOnce = kTilesOfBoard;  // for which a weight is read once

inline Lanes all(float x) { return x - Lanes{}; }
inline size_t registers_for(size_t floats) { return nn::registers_for(floats, kLanes); }
constexpr size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Reads min(count, kLanes) floats; the others are 0.
inline Lanes load(const float* from, size_t count = kLanes) {
  Lanes lanes{};
  if (count >= kLanes) {
    memcpy(&lanes, from, sizeof lanes);
  } else {
    memcpy(&lanes, from, count * sizeof(float));
  }
  return lanes;
}

// Writes min(count, kLanes) floats.
inline void store(Lanes lanes, float* to, size_t count = kLanes) {
  if (count >= kLanes) {
    memcpy(to, &lanes, sizeof lanes);
  } else {
    memcpy(to, &lanes, count * sizeof(float));
  }
}

inline Lanes above_zero(Lanes x) { return Lanes{} > x ? Lanes{} : x; }  // NaN stays

// --- affine layers ---

// kRows rows at once. Not inlined, and with copies of the sums alone in memory: so the compiler
// keeps these in registers.
template <int kRows>
[[gnu::noinline]] void affine_rows(const float* in, ptrdiff_t inputs, const float* weight,
                                   const float* bias, ptrdiff_t outputs, float* out) {
  constexpr auto kStep = static_cast<ptrdiff_t>(kLanes);
  for (ptrdiff_t first = 0; first < outputs; first += kStep, bias += kStep) {
    Lanes sums[kRows];
    for (Lanes& sum : sums) sum = load(bias);
    for (ptrdiff_t i = 0; i < inputs; ++i, weight += kStep) {
      const Lanes each = load(weight);
      for (int row = 0; row < kRows; ++row) {
        sums[row] = add_product(sums[row], all(in[row * inputs + i]), each);
      }
    }
    for (int row = 0; row < kRows; ++row) {
      const Lanes sum = sums[row];
      store(sum, out + row * outputs + first, static_cast<size_t>(outputs - first));
    }
  }
}

void affine(const float* in, int rows, ptrdiff_t inputs, const float* weight, const float* bias,
            ptrdiff_t outputs, float* out) {
  constexpr int kRowsAtOnce = 8;  // for which a weight is read once
  for (; rows >= kRowsAtOnce; rows -= kRowsAtOnce) {
    affine_rows<kRowsAtOnce>(in, inputs, weight, bias, outputs, out);
    in += kRowsAtOnce * inputs;
    out += kRowsAtOnce * outputs;
  }
  for (; rows > 0; --rows, in += inputs, out += outputs) {
    affine_rows<1>(in, inputs, weight, bias, outputs, out);
  }
}

// --- Winograd's F(4×4, 3×3): Lavin and Gray's matrices ---

struct Six {
  Lanes x[6];
};
struct Four {
  Lanes x[4];
};

// B^T x.
inline Six input_points(Lanes x0, Lanes x1, Lanes x2, Lanes x3, Lanes x4, Lanes x5) {
  const Lanes even = x4 - 4 * x2, odd = x3 - 4 * x1;
  const Lanes even2 = x4 - x2, odd2 = 2 * (x3 - x1);
  return {{4 * x0 - 5 * x2 + x4, even + odd, even - odd, even2 + odd2, even2 - odd2,
           4 * x1 - 5 * x3 + x5}};
}

// A^T x.
inline Four output_points(Lanes x0, Lanes x1, Lanes x2, Lanes x3, Lanes x4, Lanes x5) {
  const Lanes sum1 = x1 + x2, difference1 = x1 - x2;
  const Lanes sum2 = x3 + x4, difference2 = x3 - x4;
  return {{x0 + sum1 + sum2, difference1 + 2 * difference2, sum1 + 4 * sum2,
           difference1 + 8 * difference2 + x5}};
}

// The points of one tile and register of channels, at most `left` of which are there.
template <int kTileY, int kTileX>
inline void tile_to_points(const float* board, size_t channels, size_t left, float* to,
                           size_t next_point) {
  Six columns[6];
  for (int x = 0; x < 6; ++x) {
    const int file = 4 * kTileX - 1 + x;
    Lanes seen[6] = {};
    for (int y = 0; y < 6; ++y) {
      const int rank = 4 * kTileY - 1 + y;
      if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
      seen[y] = load(board + static_cast<size_t>(8 * rank + file) * channels, left);
    }
    columns[x] = input_points(seen[0], seen[1], seen[2], seen[3], seen[4], seen[5]);
  }
  for (size_t y = 0; y < 6; ++y) {
    const Six row = input_points(columns[0].x[y], columns[1].x[y], columns[2].x[y], columns[3].x[y],
                                 columns[4].x[y], columns[5].x[y]);
    for (size_t x = 0; x < 6; ++x, to += next_point) store(row.x[x], to);
  }
}

void to_points(const float* boards, size_t count, size_t channels, float* points) {
  const size_t registers = registers_for(channels), next_tile = registers * kLanes;
  const size_t next_point = point_stride(count, registers) * kLanes;
  for (size_t board = 0; board < count; ++board) {
    for (size_t at = 0; at < channels; at += kLanes) {
      const float* const from = boards + board * kSquares * channels + at;
      float* to = points + board * kTilesOfBoard * next_tile + at;
      const size_t left = channels - at;
      tile_to_points<0, 0>(from, channels, left, to, next_point);
      tile_to_points<0, 1>(from, channels, left, to += next_tile, next_point);
      tile_to_points<1, 0>(from, channels, left, to += next_tile, next_point);
      tile_to_points<1, 1>(from, channels, left, to += next_tile, next_point);
    }
  }
}

// kRegisters of outputs of all tiles.
template <size_t kRegisters>
void multiply_block(const float* points, size_t tiles, size_t inputs, const float* weight,
                    size_t next_output, float* products) {
  const size_t next_tile = registers_for(inputs) * kLanes;
  for (size_t tile = 0; tile < tiles; tile += kTilesAtOnce) {
    const float *const x = points + tile * next_tile, *w = weight;
    Lanes sums[kTilesAtOnce][kRegisters] = {};
    for (size_t i = 0; i < inputs; ++i) {
      Lanes each[kRegisters];
      for (size_t r = 0; r < kRegisters; ++r, w += kLanes) each[r] = load(w);
      for (size_t t = 0; t < kTilesAtOnce; ++t) {
        for (size_t r = 0; r < kRegisters; ++r) {
          sums[t][r] = add_product(sums[t][r], all(x[t * next_tile + i]), each[r]);
        }
      }
    }
    for (size_t t = 0; t < kTilesAtOnce; ++t) {
      for (size_t r = 0; r < kRegisters; ++r) {
        store(sums[t][r], products + (tile + t) * next_output + r * kLanes);
      }
    }
  }
}

void multiply_points(const float* points, size_t count, size_t inputs, const float* weight,
                     size_t outputs, float* products) {
  const size_t tiles = count * kTilesOfBoard, registers = registers_for(outputs);
  const size_t next_output = registers * kLanes;
  for (size_t point = 0; point < kPoints; ++point) {
    for (size_t first = 0; first < registers; first += kBlock) {
      const size_t width = least(kBlock, registers - first);
      float* const to = products + first * kLanes;
      switch (width) {
        case 1:
          multiply_block<1>(points, tiles, inputs, weight, next_output, to);
          break;
        case 2:
          multiply_block<2>(points, tiles, inputs, weight, next_output, to);
          break;
        case 3:
          multiply_block<least(3, kBlock)>(points, tiles, inputs, weight, next_output, to);
          break;
        default:
          multiply_block<kBlock>(points, tiles, inputs, weight, next_output, to);
      }
      weight += inputs * width * kLanes;
    }
    points += point_stride(count, registers_for(inputs)) * kLanes;
    products += point_stride(count, registers) * kLanes;
  }
}

template <After kAfter>
void from_points(const float* products, size_t count, size_t channels, const float* bias,
                 float* boards) {
  const size_t registers = registers_for(channels);
  const size_t next_point = point_stride(count, registers) * kLanes;
  for (size_t tile = 0; tile < count * kTilesOfBoard; ++tile) {
    const size_t corner = tile % 4 / 2 * 32 + tile % 2 * 4;  // its first square
    float* const board = boards + (tile / kTilesOfBoard * kSquares + corner) * channels;
    for (size_t at = 0; at < channels; at += kLanes) {
      const float* from = products + tile * registers * kLanes + at;
      Lanes points[6][6];
      for (size_t y = 0; y < 6; ++y) {
        for (size_t x = 0; x < 6; ++x, from += next_point) points[y][x] = load(from);
      }
      Four columns[6];
      for (size_t x = 0; x < 6; ++x) {
        columns[x] = output_points(points[0][x], points[1][x], points[2][x], points[3][x],
                                   points[4][x], points[5][x]);
      }
      for (size_t y = 0; y < 4; ++y) {
        const Four row = output_points(columns[0].x[y], columns[1].x[y], columns[2].x[y],
                                       columns[3].x[y], columns[4].x[y], columns[5].x[y]);
        for (size_t x = 0; x < 4; ++x) {
          float* const to = board + (8 * y + x) * channels + at;
          Lanes sum = row.x[x] + load(bias + at);
          if (kAfter == After::kAddToOutputThenRelu) sum += load(to, channels - at);
          if (kAfter != After::kNothing) sum = above_zero(sum);
          store(sum, to, channels - at);
        }
      }
    }
  }
}

void from_points(const float* products, size_t count, size_t channels, const float* bias,
                 After after, float* boards) {
  switch (after) {
    case After::kNothing:
      return from_points<After::kNothing>(products, count, channels, bias, boards);
    case After::kRelu:
      return from_points<After::kRelu>(products, count, channels, bias, boards);
    case After::kAddToOutputThenRelu:
      return from_points<After::kAddToOutputThenRelu>(products, count, channels, bias, boards);
  }
}

// --- element by element ---

float dot(const float* a, const float* b, size_t count) {
  Lanes sums{};
  for (size_t i = 0; i < count; i += kLanes) {
    sums = add_product(sums, load(a + i, count - i), load(b + i, count - i));
  }
  float sum = 0;
  for (size_t i = 0; i < kLanes; ++i) sum += sums[i];
  return sum;
}

void relu(float* x, size_t count) {
  for (size_t i = 0; i < count; i += kLanes) {
    store(above_zero(load(x + i, count - i)), x + i, count - i);
  }
}

void shift(const float* by, size_t channels, float* x) {
  for (size_t square = 0; square < kSquares; ++square, x += channels) {
    for (size_t c = 0; c < channels; c += kLanes) {
      const size_t left = channels - c;
      store(above_zero(load(x + c, left) + load(by + c, left)), x + c, left);
    }
  }
}

void condition(const float* y, const float* scale, const float* by, size_t channels, float* x) {
  for (size_t square = 0; square < kSquares; ++square, x += channels, y += channels) {
    for (size_t c = 0; c < channels; c += kLanes) {
      const size_t left = channels - c;
      const Lanes own = load(y + c, left);
      const Lanes more = own + own * load(scale + c, left) + load(by + c, left);
      store(above_zero(load(x + c, left) + more), x + c, left);
    }
  }
}

void means(const float* x, size_t channels, float* out) {
  for (size_t c = 0; c < channels; c += kLanes) {
    Lanes sum{};
    for (size_t square = 0; square < kSquares; ++square) {
      sum += load(x + square * channels + c, channels - c);
    }
    store(sum / static_cast<float>(kSquares), out + c, channels - c);
  }
}

void to_bytes(const float* x, const float* inverse_steps, size_t channels, uint8_t* out) {
  for (size_t square = 0; square < kSquares; ++square, x += channels, out += channels) {
    for (size_t c = 0; c < channels; ++c) {
      const float units = x[c] * inverse_steps[c] + 0.5f;
      out[c] = static_cast<uint8_t>(static_cast<int>(units < 255.0f ? units : 255.0f));
    }
  }
}

}  // namespace

const FloatKernels kFloatKernels{kLanes, kBlock, affine, to_points, multiply_points, from_points,
                                 dot,    relu,   shift,  condition, means,           to_bytes};

}  // namespace nn::SHARPZERO_LEVEL
