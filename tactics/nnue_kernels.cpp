#include "tactics/nnue_kernels.h"

#include <string.h>

#if defined(__SSSE3__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace tactics::SHARPZERO_LEVEL {
namespace {

constexpr size_t kInputs = 2 * kNnueSums;

// Bytes of a register; what is wider the compiler keeps in memory.
#if defined(__AVX512F__)
constexpr size_t kRegister = 64;
#elif defined(__AVX2__)
constexpr size_t kRegister = 32;
#else
constexpr size_t kRegister = 16;
#endif

template <class Vector, class Number>
inline Vector load(const Number* at) {
  Vector vector;
  memcpy(&vector, at, sizeof vector);
  return vector;
}

// A block of sums stays in registers.
void change_sums(const int16_t* from, const uint16_t* come, size_t comes, const uint16_t* go,
                 size_t goes, const int16_t* rows, int16_t* to) {
  using Lanes [[gnu::vector_size(kRegister)]] = int16_t;
  constexpr size_t kLanes = kRegister / sizeof(int16_t), kBlock = 8;
  static_assert(kNnueSums % (kLanes * kBlock) == 0);
  for (size_t at = 0; at < kNnueSums; at += kLanes * kBlock) {
    Lanes sums[kBlock];
    for (size_t k = 0; k < kBlock; ++k) sums[k] = load<Lanes>(from + at + k * kLanes);
    for (size_t i = 0; i < comes; ++i) {
      const int16_t* const row = rows + come[i] * kNnueSums + at;
      for (size_t k = 0; k < kBlock; ++k) sums[k] += load<Lanes>(row + k * kLanes);
    }
    for (size_t i = 0; i < goes; ++i) {
      const int16_t* const row = rows + go[i] * kNnueSums + at;
      for (size_t k = 0; k < kBlock; ++k) sums[k] -= load<Lanes>(row + k * kLanes);
    }
    for (size_t k = 0; k < kBlock; ++k) {
      const Lanes sum = sums[k];
      memcpy(to + at + k * kLanes, &sum, sizeof sum);
    }
  }
}

inline void activate(const int16_t* sums, uint8_t* out) {
  for (size_t i = 0; i < kNnueSums; ++i) {
    const int16_t low = sums[i] > 0 ? sums[i] : int16_t{0};
    const auto cut = static_cast<uint16_t>(low < 255 ? low : 255);
    out[i] = static_cast<uint8_t>(static_cast<uint16_t>(cut * cut) >> 9);
  }
}

// Registers of products: four bytes of the input times the weights of as many outputs as fit.
#if defined(__AVX512VNNI__)
using Register = __m512i;
inline Register all(int32_t four) { return _mm512_set1_epi32(four); }
inline Register add_products(Register sum, Register inputs, const int8_t* weights) {
  return _mm512_dpbusd_epi32(sum, inputs, _mm512_load_si512(weights));
}
#elif defined(__AVX2__)
using Register = __m256i;
inline Register all(int32_t four) { return _mm256_set1_epi32(four); }
inline Register add_products(Register sum, Register inputs, const int8_t* weights) {
  const __m256i row = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights));
#if defined(__AVXVNNI__)
  return _mm256_dpbusd_avx_epi32(sum, inputs, row);
#else
  // Pairs do not saturate: 2 * 127 * 127 < 2^15.
  const __m256i pairs = _mm256_maddubs_epi16(inputs, row);
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}
#elif defined(__SSSE3__)
using Register = __m128i;
inline Register all(int32_t four) { return _mm_set1_epi32(four); }
inline Register add_products(Register sum, Register inputs, const int8_t* weights) {
  const __m128i row = _mm_load_si128(reinterpret_cast<const __m128i*>(weights));
  const __m128i pairs = _mm_maddubs_epi16(inputs, row);
  return _mm_add_epi32(sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
}
#elif defined(__ARM_NEON)
using Register = int32x4_t;
inline Register all(int32_t four) { return vdupq_n_s32(four); }
inline Register add_products(Register sum, Register inputs, const int8_t* weights) {
  const int8x16_t in = vreinterpretq_s8_s32(inputs), row = vld1q_s8(weights);  // 0 <= in <= 127
  const int16x8_t low = vmull_s8(vget_low_s8(in), vget_low_s8(row));
  const int16x8_t high = vmull_high_s8(in, row);
  return vaddq_s32(sum, vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high)));
}
#else
using Register [[gnu::vector_size(16)]] = int32_t;
inline Register all(int32_t four) { return Register{} + four; }
inline Register add_products(Register sum, Register inputs, const int8_t* weights) {
  using Bytes [[gnu::vector_size(16)]] = int8_t;
  const auto in = reinterpret_cast<Bytes>(inputs), row = load<Bytes>(weights);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 4; ++i) sum[k] += in[4 * k + i] * row[4 * k + i];  // inputs: 127 at most
  }
  return sum;
}
#endif
constexpr size_t kRegisters = 4 * kNnueHidden / sizeof(Register);

// A bit for each of the 64 groups of four inputs that are not all 0.
inline uint64_t live_groups(const uint8_t* in) {
  uint64_t live = 0;
#if defined(__AVX512F__)
  for (unsigned at = 0; at < 64; at += 16) {
    const __m512i inputs = _mm512_load_si512(in + 4 * at);
    live |= uint64_t{_mm512_test_epi32_mask(inputs, inputs)} << at;
  }
#elif defined(__AVX2__)
  for (unsigned at = 0; at < 64; at += 8) {
    const __m256i inputs = _mm256_load_si256(reinterpret_cast<const __m256i*>(in + 4 * at));
    const __m256i dead = _mm256_cmpeq_epi32(inputs, _mm256_setzero_si256());
    const auto bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(dead)));
    live |= uint64_t{bits ^ 0xff} << at;
  }
#else
  for (unsigned at = 0; at < 64; ++at) {
    live |= uint64_t{load<int32_t>(in + 4 * at) != 0} << at;
  }
#endif
  return live;
}

// Adds the products of the first live group, which is none any more.
inline void add_group(const uint8_t* in, const int8_t* packed, uint64_t& live, Register* sums) {
  const auto at = 4 * static_cast<size_t>(__builtin_ctzll(live));
  live &= live - 1;
  const Register inputs = all(load<int32_t>(in + at));
  for (size_t k = 0; k < kRegisters; ++k) {
    sums[k] = add_products(sums[k], inputs, packed + at * kNnueHidden + k * sizeof(Register));
  }
}

// out[k] = sum over i of in[i] * weight of input i for output k. Most inputs are 0: whole groups of
// four are left out.
inline void multiply(const uint8_t* in, const int8_t* packed, int32_t* out) {
  Register even[kRegisters] = {}, odd[kRegisters] = {};  // neither need wait for the other
  for (int half = 0; half < 2; ++half, in += kNnueSums, packed += kNnueSums * kNnueHidden) {
    uint64_t live = live_groups(in);
    const int count = __builtin_popcountll(live);
    for (int pair = 0; pair < count / 2; ++pair) {
      add_group(in, packed, live, even);
      add_group(in, packed, live, odd);
    }
    if (count % 2 != 0) add_group(in, packed, live, even);
  }
  using Ints [[gnu::vector_size(sizeof(Register))]] = int32_t;
  for (size_t k = 0; k < kRegisters; ++k) {
    const Ints sum = reinterpret_cast<Ints>(even[k]) + reinterpret_cast<Ints>(odd[k]);
    memcpy(out + k * sizeof sum / 4, &sum, sizeof sum);
  }
}

// out[kOut] += sum over j of in[j] * weight[j][kOut]: four sums side by side, so that none waits
// for the one before, always added up in the same order.
template <size_t kIn, size_t kOut>
inline void add_product(const float* in, const float* weight, float* out) {
  static_assert(kIn % 4 == 0);
  constexpr size_t kBytes = kOut * sizeof(float), kWidth = kBytes < kRegister ? kBytes : kRegister;
  constexpr size_t kLanes = kWidth / sizeof(float), kBlock = kOut / kLanes < 2 ? 1 : 2;
  using Lanes [[gnu::vector_size(kWidth)]] = float;
  for (size_t at = 0; at < kOut; at += kBlock * kLanes) {
    Lanes sums[4][kBlock] = {};
    for (size_t j = 0; j < kIn; j += 4) {
      for (size_t k = 0; k < 4; ++k) {
        for (size_t b = 0; b < kBlock; ++b) {
          Lanes row;
          memcpy(&row, weight + (j + k) * kOut + at + b * kLanes, sizeof row);
          sums[k][b] += in[j + k] * row;
        }
      }
    }
    for (size_t b = 0; b < kBlock; ++b) {
      Lanes sum;
      memcpy(&sum, out + at + b * kLanes, sizeof sum);
      sum += (sums[0][b] + sums[1][b]) + (sums[2][b] + sums[3][b]);
      memcpy(out + at + b * kLanes, &sum, sizeof sum);
    }
  }
}

// value = clamp(value, 0, 1)^2.
inline void activate(float* values) {
  using Lanes [[gnu::vector_size(kRegister)]] = float;
  for (size_t k = 0; k < kNnueHidden; k += kRegister / sizeof(float)) {
    Lanes x = load<Lanes>(values + k);
    x = x > 0 ? x : Lanes{};
    x = x < 1 ? x : Lanes{} + 1;
    x *= x;
    memcpy(values + k, &x, sizeof x);
  }
}

// e^x for x in [-80, 0], with a relative error below 2e-7: 2^n by the exponent's bits, the rest by
// a polynomial.
constexpr size_t kPart = kRegister < 32 ? 16 : 32;  // bytes of the eight that one register holds
using Part [[gnu::vector_size(kPart)]] = float;
inline void exponential(Part& x) {
  constexpr float kRound = 1.5f * (1 << 23);  // leaves no room for a fraction
  constexpr float kPolynomial[] = {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                                   1.6666665459e-1f, 5.0000001201e-1f};
  const Part n = (x * 1.44269504f + kRound) - kRound;
  const Part rest = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Part p = Part{} + 1.9875691500e-4f;
  for (const float c : kPolynomial) p = p * rest + c;
  p = p * rest * rest + rest + 1;
  using Bits [[gnu::vector_size(kPart)]] = int32_t;
  x = p * reinterpret_cast<Part>((__builtin_convertvector(n, Bits) + 127) << 23);
}

// The seven logits' softmax; the eighth is not used.
inline void softmax(const float* logits, float* out) {
  constexpr size_t kOutcomes = kNnueOutputs - 1;
  float top = logits[0], sum = 0;
  for (size_t i = 1; i < kOutcomes; ++i) top = logits[i] > top ? logits[i] : top;
  float shares[kNnueOutputs];
  for (size_t at = 0; at < kNnueOutputs; at += kPart / sizeof(float)) {
    Part x = load<Part>(logits + at) - top;
    x = x > -80 ? x : Part{} - 80;
    exponential(x);
    memcpy(shares + at, &x, sizeof x);
  }
  for (size_t i = 0; i < kOutcomes; ++i) sum += shares[i];
  for (size_t i = 0; i < kOutcomes; ++i) out[i] = shares[i] / sum;
}

void outcomes(const int16_t* mover, const int16_t* other, const float* bias,
              const NnueLayers& layers, float* out) {
  alignas(64) uint8_t inputs[kInputs];
  activate(mover, inputs);
  activate(other, inputs + kNnueSums);
  alignas(64) int32_t products[kNnueHidden];
  multiply(inputs, layers.first, products);
  alignas(64) float first[kNnueHidden], second[kNnueHidden], logits[kNnueOutputs];
  for (size_t k = 0; k < kNnueHidden; ++k) {
    first[k] = bias[k] + static_cast<float>(products[k]) * layers.first_scale[k];
  }
  activate(first);
  memcpy(second, layers.second_bias, sizeof second);
  add_product<kNnueHidden, kNnueHidden>(first, layers.second, second);
  activate(second);
  memcpy(logits, layers.out_bias, sizeof logits);
  add_product<kNnueHidden, kNnueOutputs>(second, layers.out, logits);
  softmax(logits, out);
}

}  // namespace

const NnueKernels kNnueKernels{change_sums, add_product<kNnueTable, kNnueHidden>, outcomes};

}  // namespace tactics::SHARPZERO_LEVEL
