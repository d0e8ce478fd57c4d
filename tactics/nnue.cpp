#include "tactics/nnue.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#if defined(__AVX512VNNI__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tactics {
namespace {

using namespace rules;
using S = NnueShape;

constexpr int kClockStep = 8;  // plies from one clock feature to the next
constexpr std::size_t kInputs = 2 * S::kSums;

constexpr Square seen_from(Square square, Color view) {
  return view == Color::kWhite ? square : flipped(square);
}

int piece_square(Color color, PieceType type, Square square, Color view) {
  return ((color == view ? 0 : kPieceTypes) + index(type)) * 64 + index(seen_from(square, view));
}

// Bits of a side's reserve features: one knight, two knights, the same for bishops and rooks, then
// queen, king, second queen.
unsigned reserve_bits(const Position& position, Color color) {
  if (position.reserve_empty(color)) return 0;
  const auto held = [&](PieceType type) { return (1u << position.reserve(color, type)) - 1; };
  return (held(PieceType::kKnight) & 3) | (held(PieceType::kBishop) & 3) << 2 |
         (held(PieceType::kRook) & 3) << 4 | (held(PieceType::kQueen) & 1) << 6 |
         held(PieceType::kKing) << 7 | held(PieceType::kQueen) >> 1 << 8;
}
constexpr std::array<int, 9> kReserveFeature{0, 1, 2, 3, 4, 5, 6, 7, 6};  // by these bits

int clock_features(const Position& position) {
  return std::min(position.halfmove_clock() / kClockStep, S::kClocks);
}

// Calls visit(feature as White sees it, as Black sees it) for each feature that `position` has and
// `without` has not.
template <class Visit>
void for_each_feature(const Position& position, const Position& without, Visit visit) {
  for (Bitboard more = position.squares_that_differ(without) & position.occupied(); more;) {
    const Square square = pop_first(more);
    const Color color =
        position.pieces(Color::kWhite) & bit(square) ? Color::kWhite : Color::kBlack;
    const PieceType type = *position.piece_at(square);
    visit(piece_square(color, type, square, Color::kWhite),
          piece_square(color, type, square, Color::kBlack));
  }
  for (const Color color : kColors) {
    const int own = S::kPieceSquares, enemy = S::kPieceSquares + 8;
    for (unsigned more = reserve_bits(position, color) & ~reserve_bits(without, color); more;
         more &= more - 1) {
      const int i = kReserveFeature[static_cast<std::size_t>(std::countr_zero(more))];
      visit((color == Color::kWhite ? own : enemy) + i, (color == Color::kBlack ? own : enemy) + i);
    }
  }
  for (int i = clock_features(without); i < clock_features(position); ++i) {
    const int feature = S::kPieceSquares + S::kReserves + i;
    visit(feature, feature);
  }
}

// Without pieces, reserves and clock.
const Position kNothing{};

using Sums = std::array<std::int16_t, S::kSums>;

// The features that come and go between two positions, by view.
struct Changes {
  std::array<std::array<std::uint16_t, S::kMaxActive>, 2> features;
  std::size_t count = 0;

  Changes(const Position& position, const Position& without) {
    for_each_feature(position, without, [this](int white, int black) {
      features[0][count] = static_cast<std::uint16_t>(white);
      features[1][count++] = static_cast<std::uint16_t>(black);
    });
  }
  std::span<const std::uint16_t> of(std::size_t view) const {
    return {features[view].data(), count};
  }
};

// Bytes of a register; what is wider the compiler keeps in memory.
#if defined(__AVX512F__)
constexpr std::size_t kRegister = 64;
#elif defined(__AVX2__)
constexpr std::size_t kRegister = 32;
#else
constexpr std::size_t kRegister = 16;
#endif

template <class Vector, class Number>
Vector load(const Number* at) {
  Vector vector;
  std::memcpy(&vector, at, sizeof vector);
  return vector;
}

// to = from and the rows that come, less those that go. A block of sums stays in registers.
void change_sums(const Sums& from, std::span<const std::uint16_t> come,
                 std::span<const std::uint16_t> go, const std::array<Sums, S::kFeatures>& rows,
                 Sums& to) {
  using Lanes [[gnu::vector_size(kRegister)]] = std::int16_t;
  constexpr std::size_t kLanes = kRegister / sizeof(std::int16_t), kBlock = 8;
  static_assert(S::kSums % (kLanes * kBlock) == 0);
  for (std::size_t at = 0; at < from.size(); at += kLanes * kBlock) {
    Lanes sums[kBlock];
    for (std::size_t k = 0; k < kBlock; ++k) sums[k] = load<Lanes>(from.data() + at + k * kLanes);
    for (const std::uint16_t feature : come) {
      const std::int16_t* const row = rows[feature].data() + at;
      for (std::size_t k = 0; k < kBlock; ++k) sums[k] += load<Lanes>(row + k * kLanes);
    }
    for (const std::uint16_t feature : go) {
      const std::int16_t* const row = rows[feature].data() + at;
      for (std::size_t k = 0; k < kBlock; ++k) sums[k] -= load<Lanes>(row + k * kLanes);
    }
    for (std::size_t k = 0; k < kBlock; ++k) {
      const Lanes sum = sums[k];
      std::memcpy(to.data() + at + k * kLanes, &sum, sizeof sum);
    }
  }
}

void activate(const Sums& sums, std::uint8_t* out) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto cut = static_cast<std::uint16_t>(std::clamp<std::int16_t>(sums[i], 0, 255));
    out[i] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(cut * cut) >> 9);
  }
}

// out[k] = sum over i of in[i] * weight of input i for output k, packed as Nnue keeps it. The three
// forms agree exactly. Most inputs are 0: whole groups of four are left out.
#if defined(__AVX512VNNI__) || defined(__AVX2__)

// A bit for each of the 64 groups of four inputs that are not all 0.
std::uint64_t live_groups(const std::uint8_t* in) {
  std::uint64_t live = 0;
#if defined(__AVX512VNNI__)
  for (unsigned at = 0; at < 64; at += 16) {
    const __m512i inputs = _mm512_load_si512(in + 4 * at);
    live |= std::uint64_t{_mm512_test_epi32_mask(inputs, inputs)} << at;
  }
#else
  for (unsigned at = 0; at < 64; at += 8) {
    const __m256i inputs = _mm256_load_si256(reinterpret_cast<const __m256i*>(in + 4 * at));
    const __m256i dead = _mm256_cmpeq_epi32(inputs, _mm256_setzero_si256());
    const auto bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(dead)));
    live |= std::uint64_t{bits ^ 0xff} << at;
  }
#endif
  return live;
}

// Sums of products, 32 outputs in as many registers as it takes.
struct Products {
#if defined(__AVX512VNNI__)
  using Register = __m512i;
  static Register all(std::int32_t four) { return _mm512_set1_epi32(four); }
  static Register add(Register sum, Register inputs, const std::int8_t* weights) {
    return _mm512_dpbusd_epi32(sum, inputs, _mm512_load_si512(weights));
  }
#else
  using Register = __m256i;
  static Register all(std::int32_t four) { return _mm256_set1_epi32(four); }
  static Register add(Register sum, Register inputs, const std::int8_t* weights) {
    const __m256i row = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights));
#if defined(__AVXVNNI__)
    return _mm256_dpbusd_avx_epi32(sum, inputs, row);
#else
    // Pairs do not saturate: 2 * 127 * 127 < 2^15.
    const __m256i pairs = _mm256_maddubs_epi16(inputs, row);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
  }
#endif
  static constexpr std::size_t kRegisters = 4 * S::kHidden / sizeof(Register);

  Register sums[kRegisters] = {};

  void add(const std::uint8_t* in, const std::int8_t* packed, std::uint64_t& live) {
    const std::size_t at = 4 * static_cast<std::size_t>(std::countr_zero(live));
    live &= live - 1;
    std::int32_t four;
    std::memcpy(&four, in + at, 4);
    const Register inputs = all(four);
    for (std::size_t k = 0; k < kRegisters; ++k) {
      sums[k] = add(sums[k], inputs, packed + at * S::kHidden + k * sizeof(Register));
    }
  }
};

void multiply(const std::uint8_t* in, const std::int8_t* packed, std::int32_t* out) {
  Products even, odd;  // two, so that one need not wait for the other
  for (std::size_t half = 0; half < 2; ++half, in += S::kSums, packed += S::kSums * S::kHidden) {
    std::uint64_t live = live_groups(in);
    const int count = std::popcount(live);
    for (int pair = 0; pair < count / 2; ++pair) {
      even.add(in, packed, live);
      odd.add(in, packed, live);
    }
    if (count % 2 != 0) even.add(in, packed, live);
  }
  using Ints [[gnu::vector_size(sizeof(Products::Register))]] = std::int32_t;
  for (std::size_t k = 0; k < Products::kRegisters; ++k) {
    const Ints sum = std::bit_cast<Ints>(even.sums[k]) + std::bit_cast<Ints>(odd.sums[k]);
    std::memcpy(out + k * sizeof sum / 4, &sum, sizeof sum);
  }
}
#else
void multiply(const std::uint8_t* in, const std::int8_t* packed, std::int32_t* out) {
  std::fill(out, out + S::kHidden, 0);
  for (std::size_t at = 0; at < kInputs; at += 4) {
    for (std::size_t k = 0; k < S::kHidden; ++k) {
      for (std::size_t i = 0; i < 4; ++i)
        out[k] += in[at + i] * packed[at * S::kHidden + 4 * k + i];
    }
  }
}
#endif

// Floats in a register.
using Floats [[gnu::vector_size(kRegister)]] = float;
constexpr std::size_t kFloats = kRegister / sizeof(float);

// value = clamp(value, 0, 1)^2.
void activate(std::array<float, S::kHidden>& values) {
  for (std::size_t k = 0; k < values.size(); k += kFloats) {
    Floats x = load<Floats>(values.data() + k);
    x = x > 0 ? x : Floats{};
    x = x < 1 ? x : Floats{} + 1;
    x *= x;
    std::memcpy(values.data() + k, &x, sizeof x);
  }
}

// out += sum over j of in[j] * weight[j]: four sums side by side, so that none waits for the one
// before, always added up in the same order.
template <std::size_t N, std::size_t M>
void add_product(const std::array<float, N>& in, const std::array<std::array<float, M>, N>& weight,
                 std::array<float, M>& out) {
  static_assert(N % 4 == 0);
  constexpr std::size_t kWidth = std::min(kRegister, M * sizeof(float));
  constexpr std::size_t kLanes = kWidth / sizeof(float),
                        kBlock = std::min<std::size_t>(2, M / kLanes);
  using Lanes [[gnu::vector_size(kWidth)]] = float;
  for (std::size_t at = 0; at < M; at += kBlock * kLanes) {
    Lanes sums[4][kBlock] = {};
    for (std::size_t j = 0; j < N; j += 4) {
      for (std::size_t k = 0; k < 4; ++k) {
        for (std::size_t b = 0; b < kBlock; ++b) {
          sums[k][b] += in[j + k] * load<Lanes>(weight[j + k].data() + at + b * kLanes);
        }
      }
    }
    for (std::size_t b = 0; b < kBlock; ++b) {
      Lanes sum = load<Lanes>(out.data() + at + b * kLanes);
      sum += (sums[0][b] + sums[1][b]) + (sums[2][b] + sums[3][b]);
      std::memcpy(out.data() + at + b * kLanes, &sum, sizeof sum);
    }
  }
}

// The logits of the outcomes, and one more that is not used.
using Eight [[gnu::vector_size(32)]] = float;

// e^x for x in [-80, 0], with a relative error below 2e-7: 2^n by the exponent's bits, the rest by
// a polynomial.
Eight exponential(Eight x) {
  constexpr float kRound = 1.5f * (1 << 23);  // leaves no room for a fraction
  const Eight n = (x * 1.44269504f + kRound) - kRound;
  const Eight rest = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Eight p = Eight{} + 1.9875691500e-4f;
  for (const float c :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f}) {
    p = p * rest + c;
  }
  p = p * rest * rest + rest + 1;
  using Bits [[gnu::vector_size(32)]] = std::int32_t;
  return p * std::bit_cast<Eight>((__builtin_convertvector(n, Bits) + 127) << 23);
}

}  // namespace

int nnue_features(const Position& position, Color view, std::span<std::uint16_t> out) {
  std::size_t count = 0;
  for_each_feature(position, kNothing, [&](int white, int black) {
    out[count++] = static_cast<std::uint16_t>(view == Color::kWhite ? white : black);
  });
  if (view == Color::kWhite) out[count++] = S::kWhite;
  std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
  return static_cast<int>(count);
}

std::array<float, S::kTable> nnue_table(const ScoringTable& table, Color side_to_move) {
  std::array<float, S::kTable> told{};
  double army = 0;
  for (const double value : table.material) army += value;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const double white = table.points_white[outcome_seen_by(i, side_to_move)];
    told[i] = static_cast<float>(value_stm(white, side_to_move));
  }
  for (std::size_t i = 0; i < table.material.size(); ++i) {
    told[kOutcomes + i] = static_cast<float>(army > 0 ? table.material[i] / army : 0);
  }
  return told;
}

Nnue::Nnue(std::shared_ptr<const NnueWeights> weights)
    : weights_(std::move(weights)), frames_(kMaxPly + 1) {
  for (std::size_t at = 0; at < kInputs; at += 4) {
    for (std::size_t k = 0; k < S::kHidden; ++k) {
      for (std::size_t i = 0; i < 4; ++i) {
        packed_[at * S::kHidden + 4 * k + i] = weights_->first[k][at + i];
      }
    }
  }
  set_table({});
}

void Nnue::set_table(const ScoringTable& table) {
  for (const Color mover : kColors) {
    const auto side = static_cast<std::size_t>(index(mover));
    const auto told = nnue_table(table, mover);
    first_bias_[side] = weights_->first_bias;
    add_product(told, weights_->table, first_bias_[side]);
    std::copy_n(told.begin(), kOutcomes, points_[side].begin());
  }
}

void Nnue::start(const Position& root) {
  top_ = 0;
  Frame& frame = frames_[0];
  frame.position = root;
  frame.known = true;
  std::array<std::uint16_t, S::kMaxActive> active;
  for (const Color view : kColors) {
    const auto count = static_cast<std::size_t>(nnue_features(root, view, active));
    change_sums(weights_->bias, std::span(active).first(count), {}, weights_->feature,
                frame.sums[static_cast<std::size_t>(index(view))]);
  }
}

void Nnue::push(const Position& next) {
  Frame& frame = frames_[++top_];
  frame.position = next;
  frame.known = false;
}

// From the nearest position of the line whose sums are known.
void Nnue::update() {
  Frame& frame = frames_[top_];
  std::size_t from = top_;
  while (!frames_[from].known) --from;
  if (from == top_) return;
  const Frame& before = frames_[from];
  const Changes come(frame.position, before.position), go(before.position, frame.position);
  for (std::size_t view = 0; view < 2; ++view) {
    change_sums(before.sums[view], come.of(view), go.of(view), weights_->feature, frame.sums[view]);
  }
  frame.known = true;
}

std::array<float, kOutcomes> Nnue::outcomes() {
  update();
  const Frame& frame = frames_[top_];
  const auto mover = static_cast<std::size_t>(index(frame.position.side_to_move()));
  alignas(64) std::array<std::uint8_t, kInputs> inputs;
  activate(frame.sums[mover], inputs.data());
  activate(frame.sums[1 - mover], inputs.data() + S::kSums);
  alignas(64) std::array<std::int32_t, S::kHidden> products;
  multiply(inputs.data(), packed_.data(), products.data());

  alignas(64) std::array<float, S::kHidden> first, second = weights_->second_bias;
  for (std::size_t k = 0; k < first.size(); ++k) {
    first[k] = first_bias_[mover][k] + static_cast<float>(products[k]) * weights_->first_scale[k];
  }
  activate(first);
  add_product(first, weights_->second, second);
  activate(second);
  alignas(64) std::array<float, 8> logits = weights_->out_bias;
  add_product(second, weights_->out, logits);

  const float top = *std::max_element(logits.begin(), logits.begin() + kOutcomes);
  Eight below = load<Eight>(logits.data()) - top;
  below = below > -80 ? below : Eight{} - 80;
  Eight shares = exponential(below);
  float sum = 0;
  for (std::size_t i = 0; i < kOutcomes; ++i) sum += shares[i];
  shares /= sum;
  std::array<float, kOutcomes> out;
  std::memcpy(out.data(), &shares, sizeof out);
  return out;
}

float Nnue::value_stm() {
  const auto shares = outcomes();
  const auto& points =
      points_[static_cast<std::size_t>(index(frames_[top_].position.side_to_move()))];
  float value = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) value += shares[i] * points[i];
  return value;
}

}  // namespace tactics
