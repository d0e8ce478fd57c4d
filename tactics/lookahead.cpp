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

  explicit MaterialPolicy(const PieceValues& values) : values_(values) {}

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
  std::uint64_t salt() const { return 0; }

 private:
  int worth(const Position& position, Color color) const {
    int sum = 0;
    for (const PieceType type : {PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                                 PieceType::kRook, PieceType::kQueen}) {
      sum += value_of(values_, type) *
             (std::popcount(position.pieces(color, type)) + position.reserve(color, type));
    }
    return sum;
  }

  PieceValues values_;
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

Lookahead::Lookahead(const PieceValues& values, int table_bits)
    : search_(std::make_unique<Search>(MaterialPolicy(values), table_bits)) {}
Lookahead::~Lookahead() = default;
Lookahead::Lookahead(Lookahead&&) noexcept = default;
Lookahead& Lookahead::operator=(Lookahead&&) noexcept = default;

Finding Lookahead::find(const Position& position, std::span<const Move> survivors, int plies) {
  if (position.can_capture_king()) return {kKingFalls, {}};
  const MaterialPolicy& policy = search_->policy();
  const int balance = policy.state(position);
  if (plies == 0) {
    const int hangs = winning_captures(position, ~position.side_to_move(), policy.values()).second;
    return {search_->quiescence().search(position, balance, -kKingFalls, kKingFalls, 0,
                                         MaterialPolicy::kQuiescencePlies, {}, hangs),
            {}};
  }
  if (position.halfmove_clock() >= Position::kImpasseClock) return {balance, {}};
  if (survivors.empty()) {
    return {policy.without_moves(position, balance, king_falls_without_moves(position), 0), {}};
  }
  MoveList ordered;
  order(position, survivors, policy.values(), ordered);
  const auto [value, best] =
      search_->find(position, balance, {ordered.data(), ordered.size()}, plies);
  return {value, best};
}

}  // namespace tactics
