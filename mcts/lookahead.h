#pragma once
// A short exact search of material: what a network that sees a position for an instant overlooks.

#include <span>

#include "rules/position.h"

namespace mcts {

// More than any balance of men.
inline constexpr int kKingTaken = 1000;

// The mover's men and pieces in hand less the enemy's, in pawns (rules::kExchangeValue), at the end
// of the best play of `plies` plies and then of captures and promotions, by the rules: pins,
// checks and taken kings included. In the captures each side takes or stands still as it likes, but
// leaves a check if it can; exchanges that lose material by rules::exchange() are not begun. With
// no ply, a mover who stands still saves his dearest man at once and loses the next that hangs.
// kKingTaken, or less by its sign, where a king falls whatever the other side does; a stalemate is
// worth what stands. It looks at so many captures and no more: in rare positions the value depends
// on the order in which moves come. `survivors`: position.surviving_moves(), in any order; not
// looked at with no ply. REQUIRES: the game is not over and the mover can't take the king.
int material_lookahead_stm(const rules::Position& position, std::span<const rules::Move> survivors,
                           int plies);

// The mover has a check after which the enemy king falls whatever the enemy does. (Checks by
// castling, or uncovered by en passant, are not looked at.) REQUIRES: as above.
bool can_mate(const rules::Position& position);

}  // namespace mcts
