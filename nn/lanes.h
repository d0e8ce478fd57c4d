#pragma once
// Floats as the processor's registers hold them.

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstring>

namespace nn {

// Floats that one register holds; what is wider the compiler keeps in memory.
#if defined(__AVX512F__)
using Lanes [[gnu::vector_size(64)]] = float;
#elif defined(__AVX__)
using Lanes [[gnu::vector_size(32)]] = float;
#else
using Lanes [[gnu::vector_size(16)]] = float;
#endif
inline constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(float);

// How many registers hold so many floats.
constexpr std::size_t registers_for(std::size_t floats) { return (floats + kLanes - 1) / kLanes; }

// Reads min(count, kLanes) floats; the others are 0.
inline Lanes load(const float* from, std::size_t count) {
  Lanes lanes{};
  if (count >= kLanes) {
    std::memcpy(&lanes, from, sizeof lanes);
  } else {
    std::memcpy(&lanes, from, count * sizeof(float));
  }
  return lanes;
}

// Writes min(count, kLanes) floats.
inline void store(Lanes lanes, float* to, std::size_t count) {
  if (count >= kLanes) {
    std::memcpy(to, &lanes, sizeof lanes);
  } else {
    std::memcpy(to, &lanes, count * sizeof(float));
  }
}

// Returns sum + x * y, rounded once where the processor can.
inline Lanes add_product(Lanes sum, Lanes x, Lanes y) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(x, y, sum);
#elif defined(__FMA__)
  return _mm256_fmadd_ps(x, y, sum);
#else
  return sum + x * y;
#endif
}
inline Lanes add_product(Lanes sum, float x, Lanes y) { return add_product(sum, x - Lanes{}, y); }

// Returns the sum of a[i] * b[i], always summed in the same order.
inline float dot(const float* a, const float* b, std::size_t count) {
  Lanes sums{};
  for (std::size_t i = 0; i < count; i += kLanes) {
    sums = add_product(sums, load(a + i, count - i), load(b + i, count - i));
  }
  float sum = 0;
  for (std::size_t i = 0; i < kLanes; ++i) sum += sums[i];
  return sum;
}

}  // namespace nn
