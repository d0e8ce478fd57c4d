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

// to = from and the rows that come, less those that go. A block of sums stays in one register.
void change_sums(const Sums& from, std::span<const std::uint16_t> come,
                 std::span<const std::uint16_t> go, const std::array<Sums, S::kFeatures>& rows,
                 Sums& to) {
  using Lanes [[gnu::vector_size(64)]] = std::int16_t;
  for (std::size_t at = 0; at < from.size(); at += sizeof(Lanes) / 2) {
    Lanes sum, row;
    std::memcpy(&sum, from.data() + at, sizeof sum);
    for (const std::uint16_t feature : come) {
      std::memcpy(&row, rows[feature].data() + at, sizeof row);
      sum += row;
    }
    for (const std::uint16_t feature : go) {
      std::memcpy(&row, rows[feature].data() + at, sizeof row);
      sum -= row;
    }
    std::memcpy(to.data() + at, &sum, sizeof sum);
  }
}

void activate(const Sums& sums, std::uint8_t* out) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto cut = static_cast<std::uint16_t>(std::clamp<std::int16_t>(sums[i], 0, 255));
    out[i] = static_cast<std::uint8_t>(static_cast<std::uint16_t>(cut * cut) >> 9);
  }
}

// out[k] = sum over i of in[i] * weight of input i for output k, packed as Nnue keeps it. The three
// forms agree exactly.
#if defined(__AVX512VNNI__)
void multiply(const std::uint8_t* in, const std::int8_t* packed, std::int32_t* out) {
  __m512i low = _mm512_setzero_si512(), high = low, low2 = low, high2 = low;
  for (std::size_t block = 0; block < kInputs; block += 64) {
    const __m512i inputs = _mm512_load_si512(in + block);
    for (unsigned live = _mm512_test_epi32_mask(inputs, inputs); live;) {
      const auto next = [&](__m512i& sum_low, __m512i& sum_high) {
        const std::size_t at = block + 4 * static_cast<std::size_t>(std::countr_zero(live));
        live &= live - 1;
        std::int32_t four;
        std::memcpy(&four, in + at, 4);
        const __m512i each = _mm512_set1_epi32(four);
        const std::int8_t* weights = packed + at * S::kHidden;
        sum_low = _mm512_dpbusd_epi32(sum_low, each, _mm512_load_si512(weights));
        sum_high = _mm512_dpbusd_epi32(sum_high, each, _mm512_load_si512(weights + 64));
      };
      next(low, high);
      if (live) next(low2, high2);
    }
  }
  _mm512_store_si512(out, _mm512_add_epi32(low, low2));
  _mm512_store_si512(out + 16, _mm512_add_epi32(high, high2));
}
#elif defined(__AVX2__)
void multiply(const std::uint8_t* in, const std::int8_t* packed, std::int32_t* out) {
  constexpr std::size_t kGroups = S::kHidden / 8;
  __m256i sums[kGroups] = {};
  for (std::size_t at = 0; at < kInputs; at += 4) {
    std::int32_t four;
    std::memcpy(&four, in + at, 4);
    if (four == 0) continue;
    const __m256i each = _mm256_set1_epi32(four);
    for (std::size_t k = 0; k < kGroups; ++k) {
      const auto* weights = reinterpret_cast<const __m256i*>(packed + at * S::kHidden + 32 * k);
      // Pairs do not saturate: 2 * 127 * 127 < 2^15.
      const __m256i pairs = _mm256_maddubs_epi16(each, _mm256_load_si256(weights));
      sums[k] = _mm256_add_epi32(sums[k], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
  }
  for (std::size_t k = 0; k < kGroups; ++k) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(out + 8 * k), sums[k]);
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

template <std::size_t N>
void activate(std::array<float, N>& values) {
  for (float& value : values) {
    const float cut = std::clamp(value, 0.0f, 1.0f);
    value = cut * cut;
  }
}

// out += sum over j of in[j] * weight[j]: four sums side by side, so that none waits for the one
// before, always added up in the same order.
template <std::size_t N, std::size_t M>
void add_product(const std::array<float, N>& in, const std::array<std::array<float, M>, N>& weight,
                 std::array<float, M>& out) {
  static_assert(N % 4 == 0);
  using Lanes [[gnu::vector_size(M * sizeof(float))]] = float;
  static_assert(sizeof(Lanes) == sizeof(weight[0]));
  Lanes sums[4] = {};
  for (std::size_t j = 0; j < N; j += 4) {
    for (std::size_t k = 0; k < 4; ++k) {
      Lanes row;
      std::memcpy(&row, weight[j + k].data(), sizeof row);
      sums[k] += in[j + k] * row;
    }
  }
  Lanes sum;
  std::memcpy(&sum, out.data(), sizeof sum);
  sum += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  std::memcpy(out.data(), &sum, sizeof sum);
}

// e^x for x in [-80, 0], with a relative error below 2e-7: 2^n by the exponent's bits, the rest by
// a polynomial.
float exponential(float x) {
  const float n = std::nearbyint(x * 1.44269504f);
  const float rest = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  for (const float c :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f}) {
    p = p * rest + c;
  }
  p = p * rest * rest + rest + 1;
  return p * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
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

  std::array<float, kOutcomes> shares;
  const float top = *std::max_element(logits.begin(), logits.begin() + kOutcomes);
  float sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    sum += shares[i] = exponential(std::max(logits[i] - top, -80.0f));
  for (float& share : shares) share /= sum;
  return shares;
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
