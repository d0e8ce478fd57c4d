#include "tactics/nnue.h"

#include <algorithm>
#include <bit>

#include "tactics/nnue_kernels.h"

namespace tactics {
namespace {

using namespace rules;
using S = NnueShape;

constexpr int kClockStep = 8;  // plies from one clock feature to the next
constexpr std::size_t kInputs = 2 * S::kSums;
static_assert(S::kSums == kNnueSums && S::kHidden == kNnueHidden && S::kTable == kNnueTable &&
              kOutcomes < kNnueOutputs);

// Among the features of a king's place, unmirrored.
int piece_square(Color color, PieceType type, Square square, Color view) {
  const Square seen = view == Color::kWhite ? square : flipped(square);
  return ((color == view ? 0 : kPieceTypes) + index(type)) * 64 + index(seen);
}

// The row of a feature of a king's place as the eye sees it.
int row_of(int feature, NnueEye eye) {
  const int mirrored = feature < S::kPieceSquares && eye.mirrored ? feature ^ 7 : feature;
  return eye.place * S::kKinds + mirrored;
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

// Calls visit(feature as White sees it, as Black sees it) for the piece on the square, if any.
template <class Visit>
void visit_piece(const Position& position, Square square, Visit visit) {
  const auto type = position.piece_at(square);
  if (!type) return;
  const Color color = position.pieces(Color::kWhite) & bit(square) ? Color::kWhite : Color::kBlack;
  visit(piece_square(color, *type, square, Color::kWhite),
        piece_square(color, *type, square, Color::kBlack));
}

// The same for reserve features of the colour.
template <class Visit>
void visit_reserve(unsigned bits, Color color, Visit visit) {
  const int own = S::kPieceSquares, enemy = S::kPieceSquares + 8;
  for (; bits; bits &= bits - 1) {
    const int i = kReserveFeature[static_cast<std::size_t>(std::countr_zero(bits))];
    visit((color == Color::kWhite ? own : enemy) + i, (color == Color::kBlack ? own : enemy) + i);
  }
}

// Visits with `come` each feature that `position` has and `before` has not, with `go` each that
// `before` alone has.
template <class Come, class Go>
void visit_changes(const Position& position, const Position& before, Come come, Go go) {
  for (Bitboard differ = position.squares_that_differ(before); differ;) {
    const Square square = pop_first(differ);
    visit_piece(position, square, come);
    visit_piece(before, square, go);
  }
  if (position.may_hold_other(before)) {
    for (const Color color : kColors) {
      const unsigned now = reserve_bits(position, color), then = reserve_bits(before, color);
      visit_reserve(now & ~then, color, come);
      visit_reserve(then & ~now, color, go);
    }
  }
  constexpr int kFirstClock = S::kPieceSquares + S::kReserves;
  const int now = clock_features(position), then = clock_features(before);
  for (int i = then; i < now; ++i) come(kFirstClock + i, kFirstClock + i);
  for (int i = now; i < then; ++i) go(kFirstClock + i, kFirstClock + i);
}

// Without pieces, reserves and clock.
const Position kNothing{};

using Eyes = std::array<NnueEye, 2>;  // by view

// Rows of features by view.
struct Rows {
  void add(int white, int black, const Eyes& eyes) {
    of[0][count] = static_cast<std::uint16_t>(row_of(white, eyes[0]));
    of[1][count++] = static_cast<std::uint16_t>(row_of(black, eyes[1]));
  }

  std::array<std::array<std::uint16_t, S::kMaxActive>, 2> of;
  std::size_t count = 0;
};

struct Changes {
  Changes(const Position& position, const Position& before, const Eyes& eyes) {
    visit_changes(
        position, before, [&](int white, int black) { come.add(white, black, eyes); },
        [&](int white, int black) { go.add(white, black, eyes); });
  }
  Rows come, go;
};

bool kings_differ(const Position& a, const Position& b) {
  return std::ranges::any_of(kColors, [&](Color color) {
    return a.pieces(color, PieceType::kKing) != b.pieces(color, PieceType::kKing);
  });
}

}  // namespace

NnueEye nnue_eye(const Position& position, Color view) {
  const auto is_right = [](Square square) { return file_of(square) > 3; };
  if (const Bitboard own = position.pieces(view, PieceType::kKing)) {
    const Square at = first_square(own);
    const int rank = rank_of(view == Color::kWhite ? at : flipped(at));
    const int file = is_right(at) ? 7 - file_of(at) : file_of(at);
    const int place = rank == 0 ? (file < 2 ? 1 : 2) : rank == 1 ? 3 : 4;
    return {static_cast<std::uint8_t>(place), is_right(at)};
  }
  const Bitboard enemy = position.pieces(~view, PieceType::kKing);
  return {0, enemy != 0 && is_right(first_square(enemy))};
}

int nnue_stack(const Position& position) {
  const auto held = std::popcount(reserve_bits(position, Color::kWhite)) +
                    std::popcount(reserve_bits(position, Color::kBlack));
  if (held > 0) return held >= 12 ? 0 : held >= 8 ? 1 : held >= 4 ? 2 : 3;
  const auto men = std::popcount(position.occupied());
  return men >= 21 ? 4 : men >= 14 ? 5 : men >= 8 ? 6 : 7;
}

int nnue_features(const Position& position, Color view, std::span<std::uint16_t> out) {
  std::size_t count = 0;
  const NnueEye eye = nnue_eye(position, view);
  const auto add = [&](int white, int black) {
    out[count++] = static_cast<std::uint16_t>(row_of(view == Color::kWhite ? white : black, eye));
  };
  visit_changes(position, kNothing, add, [](int, int) {});
  if (view == Color::kWhite) add(S::kWhite, S::kWhite);
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

Nnue::Nnue(std::shared_ptr<const NnueWeights> weights, base::CpuLevel level)
    : weights_(std::move(weights)),
      kernels_(kNnueKernels[static_cast<std::size_t>(level)]),
      frames_(kMaxPly + 1) {
  for (std::size_t stack = 0; stack < S::kStacks; ++stack) {
    for (std::size_t at = 0; at < kInputs; at += 4) {
      for (std::size_t k = 0; k < S::kHidden; ++k) {
        for (std::size_t i = 0; i < 4; ++i) {
          packed_[stack][at * S::kHidden + 4 * k + i] = weights_->stacks[stack].first[k][at + i];
        }
      }
    }
  }
  for (std::size_t view = 0; view < 2; ++view) {
    for (std::size_t eye = 0; eye < kEyes; ++eye) {
      Seen& seen = seen_[view][eye];
      seen.position = kNothing;
      const auto white = static_cast<std::uint16_t>(row_of(S::kWhite, eye_at(eye)));
      kernels_->change_sums(weights_->bias.data(), &white, view == 0 ? 1 : 0, nullptr, 0,
                            weights_->feature.front().data(), seen.sums.data());
    }
  }
  set_table({});
}

void Nnue::set_table(const ScoringTable& table) {
  for (const Color mover : kColors) {
    const auto side = static_cast<std::size_t>(index(mover));
    const auto told = nnue_table(table, mover);
    for (std::size_t i = 0; i < S::kStacks; ++i) {
      const NnueStack& stack = weights_->stacks[i];
      first_bias_[side][i] = stack.first_bias;
      kernels_->add_table(told.data(), stack.table.front().data(), first_bias_[side][i].data());
    }
    std::copy_n(told.begin(), kOutcomes, points_[side].begin());
  }
}

void Nnue::start(const Position& root) {
  top_ = 0;
  Frame& frame = frames_[0];
  frame.position = root;
  for (const Color view : kColors) look_again(frame, view);
}

template <class Changes>
void Nnue::change(const Sums& from, const Changes& changes, std::size_t side, Sums& to) const {
  kernels_->change_sums(from.data(), changes.come.of[side].data(), changes.come.count,
                        changes.go.of[side].data(), changes.go.count,
                        weights_->feature.front().data(), to.data());
}

// The sums of one view, from what its eye saw last.
void Nnue::look_again(Frame& frame, Color view) {
  const auto side = static_cast<std::size_t>(index(view));
  const NnueEye eye = frame.eyes[side] = eye_on(frame.position, view);
  Seen& seen = seen_[side][index_of(eye)];
  const Changes changes(frame.position, seen.position, {eye, eye});
  change(seen.sums, changes, side, frame.sums[side]);
  seen.position = frame.position;
  seen.sums = frame.sums[side];
}

void Nnue::push(const Position& next) {
  const Frame& before = frames_[top_];
  Frame& frame = frames_[++top_];
  frame.position = next;
  const Changes changes(next, before.position, before.eyes);
  const bool moved = kings_differ(next, before.position);
  for (const Color view : kColors) {
    const auto side = static_cast<std::size_t>(index(view));
    if (moved && eye_on(next, view) != before.eyes[side]) {
      look_again(frame, view);
    } else {
      frame.eyes[side] = before.eyes[side];
      change(before.sums[side], changes, side, frame.sums[side]);
    }
  }
}

Outcomes Nnue::outcomes() {
  const Frame& frame = frames_[top_];
  const auto mover = static_cast<std::size_t>(index(frame.position.side_to_move()));
  const auto of = static_cast<std::size_t>(nnue_stack(frame.position));
  const NnueStack& stack = weights_->stacks[of];
  const NnueLayers layers{packed_[of].data(),          stack.first_scale.data(),
                          stack.second.front().data(), stack.second_bias.data(),
                          stack.out.front().data(),    stack.out_bias.data()};
  Outcomes shares;
  kernels_->outcomes(frame.sums[mover].data(), frame.sums[1 - mover].data(),
                     first_bias_[mover][of].data(), layers, shares.data());
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
