#include "tactics/move_order.h"

#include "rules/attacks.h"
#include "tactics/see.h"

namespace tactics {

using namespace rules;

namespace {

bool may_place(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (position.rule_set().id() != 0 || position.reserve(mover, move.placed()) == 0) return false;
  if (move.placed() != PieceType::kQueen) return true;
  for (const PieceType type :
       {PieceType::kKnight, PieceType::kBishop, PieceType::kRook, PieceType::kKing}) {
    if (position.reserve(mover, type) > 0) return false;
  }
  return true;
}

}  // namespace

bool is_quickly_playable(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (!move || move.is_promotion() || (position.occupied() & bit(move.to()))) return false;
  if (move.is_placement()) {
    return rank_of(move.to()) == (mover == Color::kWhite ? 0 : 7) && may_place(position, move);
  }
  if (!(position.pieces(mover) & bit(move.from())) || !position.pieces_may_move(mover)) return false;
  const PieceType type = *position.piece_at(move.from());
  const Bitboard reached = type == PieceType::kPawn
                               ? forward(mover, bit(move.from())) & ~(rank_bb(0) | rank_bb(7))
                               : attacks_from(type, move.from(), position.occupied());
  return (reached & bit(move.to())) != 0;
}

bool can_still_take(const Position& position, Move move) {
  const Color mover = position.side_to_move();
  if (move.is_placement() || move.is_promotion() || !position.pieces_may_move(mover)) return false;
  if (!(position.pieces(mover) & bit(move.from()))) return false;
  const PieceType type = *position.piece_at(move.from());
  const Bitboard reached = type == PieceType::kPawn
                               ? pawn_attacks(mover, bit(move.from())) & ~(rank_bb(0) | rank_bb(7))
                               : attacks_from(type, move.from(), position.occupied());
  return (reached & position.pieces(~mover) & bit(move.to())) != 0;
}

bool loses_material(const Position& position, Move move, int won, const PieceValues& values) {
  if (move.is_placement() || move.is_promotion()) return false;
  return won < value_of(values, *position.piece_at(move.from())) && position.piece_at(move.to()) &&
         static_exchange(position, position.side_to_move(), move.from(), move.to(), values) < 0;
}

}  // namespace tactics
