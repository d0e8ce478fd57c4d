#pragma once

#include <cstdint>

#include "base/rng.h"
#include "rules/move_list.h"
#include "rules/position.h"

namespace rules {

// Plies of random play, without losing the king at once where it can be helped.
inline Position random_position(std::uint64_t seed, int plies, RuleSet rules = {}) {
  base::Rng rng(seed);
  Position position = Position::start(rules);
  for (int i = 0; i < plies; ++i) {
    MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty()) break;
    const Position next =
        position.after(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    if (next.outcome({})) break;
    position = next;
  }
  return position;
}

}  // namespace rules
