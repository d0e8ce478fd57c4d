#pragma once
// The arithmetic of networks on a CPU, compiled once for each level of processors. The levels round
// differently; at one level a row's answer does not depend on the rows beside it. Includes nothing
// with inline functions (cmake/CpuLevels.cmake).

#include <stddef.h>
#include <stdint.h>

namespace nn {

// What follows on a layer's sums.
enum class After { kNothing, kRelu, kAddToOutputThenRelu };

inline constexpr size_t kSquares = 64;      // of a board
inline constexpr size_t kTilesOfBoard = 4;  // of 4×4 squares
inline constexpr size_t kPoints = 36;       // of a tile: BoardConvolution

// A board is [square][channel], a register `lanes` floats. Blocks of weights, biases and points are
// aligned to 64 bytes.
struct FloatKernels {
  size_t lanes;
  // Registers of outputs for which BoardConvolution reads an input once.
  size_t block;

  // out[row] = bias + weight * in[row]; weight: [register of outputs][input][lane].
  void (*affine)(const float* in, int rows, ptrdiff_t inputs, const float* weight,
                 const float* bias, ptrdiff_t outputs, float* out);

  // BoardConvolution's steps, for a number of boards: the points of their tiles,
  // [point][tile][register of channels][lane] with a stride of point_stride() registers from point
  // to point; their products with weights [point][block of outputs][input][register of the
  // block][lane]; and the boards that the products give.
  void (*to_points)(const float* boards, size_t count, size_t channels, float* points);
  void (*multiply_points)(const float* points, size_t count, size_t inputs, const float* weight,
                          size_t outputs, float* products);
  void (*from_points)(const float* products, size_t count, size_t channels, const float* bias,
                      After after, float* boards);

  // Sum of a[i] * b[i].
  float (*dot)(const float* a, const float* b, size_t count);
  // x = max(x, 0).
  void (*relu)(float* x, size_t count);
  // Shifts a board by one number a channel: x = max(x + by, 0).
  void (*shift)(const float* by, size_t channels, float* x);
  // Adds a board scaled and shifted by one number a channel: x = max(x + y * (1 + scale) + by, 0).
  void (*condition)(const float* y, const float* scale, const float* by, size_t channels, float* x);
  // Means over a board's squares.
  void (*means)(const float* x, size_t channels, float* out);
  // A board in bytes: x * inverse_step, rounded, at most 255. REQUIRES: x >= 0.
  void (*to_bytes)(const float* x, const float* inverse_steps, size_t channels, uint8_t* out);
};

// How many registers of so many lanes hold the floats.
static constexpr size_t registers_for(size_t floats, size_t lanes) {
  return (floats + lanes - 1) / lanes;
}

// Registers from one point to the next, of so many boards and registers of channels: not a power of
// two, for then the points of a tile would share a few lines of the cache.
static constexpr size_t point_stride(size_t boards, size_t registers) {
  return boards * kTilesOfBoard * registers + 2;
}

namespace baseline {
extern const FloatKernels kFloatKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const FloatKernels kFloatKernels;
}
namespace avx512 {
extern const FloatKernels kFloatKernels;
}
// By base::CpuLevel.
inline constexpr const FloatKernels* kFloatKernels[] = {
    &baseline::kFloatKernels, &avx2::kFloatKernels, &avx2::kFloatKernels, &avx512::kFloatKernels,
    &avx512::kFloatKernels};
#else
inline constexpr const FloatKernels* kFloatKernels[] = {&baseline::kFloatKernels};
#endif

}  // namespace nn
