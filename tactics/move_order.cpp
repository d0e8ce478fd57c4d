#include "tactics/move_order.h"

#include <algorithm>

#include "rules/attacks.h"
#include "tactics/see.h"

namespace tactics {

using namespace rules;

namespace {

bool may_place(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (position.rule_set().id() != 0 || position.reserve(mover, move.placed()) == 0) return false;
  if (move.placed() != PieceType::kQueen) return true;
  return std::ranges::none_of(kAllTypes, [&](PieceType type) {
    return type != PieceType::kQueen && position.reserve(mover, type) > 0;
  });
}

// Where the piece on the square, one of the side to move, can go: a pawn to one of `pawn_reach`.
Bitboard reach(const Position& position, Square from, Bitboard pawn_reach) {
  const PieceType type = *position.piece_at(from);
  return type == PieceType::kPawn ? pawn_reach & ~(rank_bb(0) | rank_bb(7))
                                  : attacks_from(type, from, position.occupied());
}

}  // namespace

bool is_quickly_playable(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (!move || move.is_promotion() || (position.occupied() & bit(move.to()))) return false;
  if (move.is_placement()) {
    return rank_of(move.to()) == (mover == Color::kWhite ? 0 : 7) && may_place(position, move);
  }
  const Square from = move.from();
  return (position.pieces(mover) & bit(from)) && position.pieces_may_move(mover) &&
         (reach(position, from, forward(mover, bit(from))) & bit(move.to()));
}

bool can_still_take(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (move.is_placement() || move.is_promotion() || !position.pieces_may_move(mover)) return false;
  const Square from = move.from();
  return (position.pieces(mover) & bit(from)) && (position.pieces(~mover) & bit(move.to())) &&
         (reach(position, from, pawn_attacks(mover, bit(from))) & bit(move.to()));
}

bool loses_material(const Position& position, Move move, int won, const PieceValues& values) {
  if (move.is_placement() || move.is_promotion()) return false;
  return won < value_of(values, *position.piece_at(move.from())) && position.piece_at(move.to()) &&
         static_exchange(position, position.side_to_move(), move.from(), move.to(), values) < 0;
}

}  // namespace tactics
