#pragma once
// A short exact search of material: what a network that sees a position for an instant overlooks.

#include <span>

#include "rules/position.h"

namespace rules {

// More than any balance of men.
inline constexpr int kKingTaken = 1000;

// The mover's men and pieces in hand less the enemy's, in pawns (kExchangeValue), at the end of the
// best play of `plies` plies and then of captures and promotions, by the rules: pins, checks and
// taken kings included. In the captures each side takes or stands still as it likes, but leaves a
// check if it can; exchanges that lose material by exchange() are not begun. With no ply, a mover
// who stands still saves his dearest man at once and loses the next that hangs. kKingTaken where
// the mover can take the king; it, or less by its sign, where a king falls whatever the other side
// does; a stalemate is worth what stands. It looks at so many captures and no more: in rare
// positions the value depends on the order in which moves come. `survivors`:
// position.surviving_moves(), in any order, or some of them to look at no others; not looked at
// with no ply, or where the king can be taken. `best`, where it is given: the move that brings it,
// or no move where none is better than a fallen king, with no ply, or where the king can be taken.
// REQUIRES: the game is not over.
int material_lookahead_stm(const Position& position, std::span<const Move> survivors, int plies,
                           Move* best = nullptr);

// The mover has a check after which the enemy king falls whatever the enemy does. (Checks by
// castling, or uncovered by en passant, are not looked at.) REQUIRES: the game is not over and the
// mover can't take the king.
bool can_mate(const Position& position);

}  // namespace rules
