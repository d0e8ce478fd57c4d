#pragma once
// A short exact search of material: what a network that sees a position for an instant overlooks.

#include "rules/position.h"

namespace mcts {

// The mover's men and pieces in hand less the enemy's, in pawns (rules::kExchangeValue), at the end
// of the best play of `plies` full turns and then of captures and promotions, by the rules: pins,
// checks and taken kings included. In the captures each side takes or stands still as it likes, but
// leaves a check if it can. With no full turn, a mover who stands still saves his dearest man at
// once and loses the next that hangs. Within a king's worth, which is what a king counts.
// REQUIRES: the game is not over and the mover can't take the king.
int material_lookahead_stm(const rules::Position& position, int plies);

}  // namespace mcts
