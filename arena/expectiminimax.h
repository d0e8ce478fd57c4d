#pragma once
// Search by material where pieces are cards: a draw is worth what the deck lets expect.

#include <span>

#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace arena {

struct Expected {
  rules::Move move;
  float value_stm = 0;
};

// The best of the moves, the first of equal ones, after `depth` >= 1 turns and the captures behind
// them. On the last turn a draw is worth what stands: it wins nothing by itself. An end of the game
// is exact, less a ten thousandth a ply, so that the nearer win is preferred. REQUIRES: the moves
// are legal and there is one, no card is being drawn.
Expected expectiminimax(const rules::Position& position, std::span<const rules::Move> moves,
                        const rules::ScoringTable& table, int depth, rules::History past = {});

}  // namespace arena
