#pragma once
// Where king and rook go when they castle.

#include "rules/rule_set.h"
#include "rules/types.h"

namespace rules {

struct CastlingSquares {
  Square king_from, rook_from, king_to, rook_to;

  // How the move is written: by the king's arrival, or by the rook that he takes.
  constexpr Move move(Castling kind) const {
    return Move::board(king_from, kind == Castling::kClassical ? king_to : rook_from);
  }
};

// REQUIRES: king and rook on one row; a kind that castles.
constexpr CastlingSquares castling_squares(Castling kind, Square king, Square rook) {
  const bool right = index(rook) > index(king);
  if (kind != Castling::kChess480) {
    const int row = rank_of(king);
    return {king, rook, make_square(right ? 6 : 2, row), make_square(right ? 5 : 3, row)};
  }
  const int step = right ? 1 : -1;
  const int file = file_of(king) + 2 * step;
  if (file < 0 || file > 7) return {king, rook, rook, king};  // no two squares: they change places
  return {king, rook, static_cast<Square>(index(king) + 2 * step),
          static_cast<Square>(index(king) + step)};
}

}  // namespace rules
