#include "tactics/lookahead.h"

#include <bit>
#include <optional>

#include "tactics/negamax.h"

namespace tactics {
namespace {

using namespace rules;

// Material alone: the state is the balance of the side to move.
class MaterialPolicy {
 public:
  using State = int;
  static constexpr bool kAdditive = true;
  static constexpr int kWorst = -kKingFalls;
  static constexpr int kClockMatters = Position::kImpasseClock;
  static constexpr int kQuiescencePlies = 8;
  static constexpr bool kSkipsLosing = true;

  void set_values(const PieceValues& values) {
    if (values == values_) return;
    values_ = values;
    salt_ = salt_of(values);
  }
  State state(const Position& position) const {
    const Color mover = position.side_to_move();
    return worth(position, mover) - worth(position, ~mover);
  }
  State after(State balance, int won, const Position&) const { return -(balance + won); }
  int value(const Position&, State balance) const { return balance; }
  std::optional<int> end(const Position& position, State balance, int) const {
    if (position.halfmove_clock() < Position::kImpasseClock) return std::nullopt;
    return balance;
  }
  int without_moves(const Position&, State balance, bool king_falls, int) const {
    return king_falls ? -kKingFalls : balance;
  }
  void enter(const Position&) {}
  void leave() {}
  const PieceValues& values() const { return values_; }
  std::uint64_t salt() const { return salt_; }

 private:
  // Below 2^48, as its upper bits do not count.
  static std::uint64_t salt_of(const PieceValues& values) {
    std::uint64_t salt = 0;
    for (const int value : values) salt = salt * 10007 + static_cast<std::uint64_t>(value);
    return salt & 0xffffffffffff;
  }
  int worth(const Position& position, Color color) const {
    int sum = 0;
    for (const PieceType type : kMaterialTypes) {
      sum += value_of(values_, type) *
             (std::popcount(position.pieces(color, type)) + position.reserve(color, type));
    }
    return sum;
  }

  PieceValues values_ = kPieceValues;
  std::uint64_t salt_ = salt_of(kPieceValues);
};

// Captures that win something, quiet moves, losing captures.
void order(const Position& position, std::span<const Move> moves, const PieceValues& values,
           MoveList& out) {
  const Gains gain(position, values);
  ScoredMoves winning;
  MoveList quiet, losing;
  for (const Move move : moves) {
    const int won = gain(move);
    if (won == 0) {
      quiet.push_back(move);
    } else if (loses_material(position, move, won, values)) {
      losing.push_back(move);
    } else {
      winning.add(move, capture_score(won, piece_of(position, move)));
    }
  }
  out.clear();
  for (std::size_t i = 0; i < winning.size(); ++i) out.push_back(winning.take(i));
  for (const Move move : quiet) out.push_back(move);
  for (const Move move : losing) out.push_back(move);
}

}  // namespace

struct Lookahead::Search : Negamax<MaterialPolicy> {
  using Negamax::Negamax;
};

Lookahead::Lookahead(int table_bits)
    : search_(std::make_unique<Search>(MaterialPolicy(), table_bits)) {}
Lookahead::~Lookahead() = default;
Lookahead::Lookahead(Lookahead&&) noexcept = default;
Lookahead& Lookahead::operator=(Lookahead&&) noexcept = default;

Finding Lookahead::find(const Position& position, std::span<const Move> survivors, int plies,
                        const PieceValues& values) {
  MaterialPolicy& policy = search_->policy();
  policy.set_values(values);
  const int balance = policy.state(position);
  Finding found;
  found.value = found.balance = balance;
  found.plies = plies;
  if (position.has_cards()) {
    found.plies = 0;  // as it stands: a turn is up to three plies, and chance has its say
  } else if (position.can_capture_king()) {
    found.value = kKingFalls;
  } else if (plies == 0) {
    const int hangs = winning_captures(position, ~position.side_to_move(), values).second;
    found.value = search_->quiescence().search(position, balance, -kKingFalls, kKingFalls, 0,
                                               MaterialPolicy::kQuiescencePlies, {}, hangs);
  } else if (position.halfmove_clock() >= Position::kImpasseClock) {
    // as it stands
  } else if (survivors.empty()) {
    found.value = policy.without_moves(position, balance, king_falls_without_moves(position), 0);
  } else {
    MoveList ordered;
    order(position, survivors, values, ordered);
    const auto [value, best] = search_->find(position, balance, ordered, plies);
    found.value = value;
    found.best = best;
  }
  return found;
}

}  // namespace tactics
