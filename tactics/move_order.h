#pragma once
// In which order a search tries moves. What Lookahead finds does not depend
// on it; AlphaBetaSearch also prunes by it.

#include <optional>

#include "rules/position.h"
#include "tactics/piece_values.h"

namespace tactics {

// What the moves of one position win at once: what they take and what their pawn becomes.
class Gains {
 public:
  Gains(const rules::Position& position, const PieceValues& values)
      : position_(position),
        values_(values),
        enemies_(position.pieces(~position.side_to_move())),
        en_passant_(position.en_passant()) {}
  int operator()(rules::Move move) const {
    if (move.is_placement() && move.pawn_step() == rules::PawnStep::kStays) return 0;
    int won = 0;
    if (move.is_promotion()) {
      won = value_of(values_, move.promoted_to()) - value_of(values_, rules::PieceType::kPawn);
    }
    if (!move.is_placement() && (enemies_ & bit(move.to()))) {
      return won + value_of(values_, *position_.piece_at(move.to()));
    }
    if (!move.is_placement() && en_passant_ != move.to()) return won;
    const auto taken = position_.captured_by(move);
    return taken ? won + value_of(values_, *taken) : won;
  }

 private:
  const rules::Position& position_;
  const PieceValues& values_;
  rules::Bitboard enemies_;
  std::optional<rules::Square> en_passant_;
};

// The score of a capture or promotion: the most won by the cheapest piece first.
inline int capture_score(int won, rules::PieceType moving) {
  return won / 10 * 8 + 7 - index(moving);
}

inline rules::PieceType piece_of(const rules::Position& position, rules::Move move) {
  return move.is_placement() ? move.placed() : *position.piece_at(move.from());
}

// Whether a quiet move that is legal in some other position is legal here, its own king's safety
// aside. May say no where the test would be slow.
bool is_quickly_playable(const rules::Position& position, rules::Move move);

// The piece that took in a sibling position can take here too. Says no of promotions and en
// passant.
bool can_still_take(const rules::Position& position, rules::Move move);

// A capture that loses material by SEE. `won`: what it takes.
bool loses_material(const rules::Position& position, rules::Move move, int won,
                    const PieceValues& values);

// The piece that a move brings to its square: what later moves are remembered by.
inline std::size_t piece_to(const rules::Position& position, rules::Move move) {
  return static_cast<std::size_t>(
      (index(position.side_to_move()) * rules::kPieceTypes + index(piece_of(position, move))) * 64 +
      index(move.to()));
}
inline constexpr std::size_t kPieceTos = 2 * rules::kPieceTypes * 64;

}  // namespace tactics
