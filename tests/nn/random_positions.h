#pragma once

#include <vector>

#include "base/rng.h"
#include "rules/position.h"
#include "rules/repertoire.h"

// Positions along random games: every phase, both colours.
inline std::vector<rules::Position> random_positions(std::size_t count, std::uint64_t seed,
                                                     rules::RuleSet rules = {}) {
  base::Rng rng(seed);
  std::vector<rules::Position> found;
  rules::Position position = draw_start(rules, rng);
  while (found.size() < count) {
    const rules::MoveList moves = position.legal_moves();
    if (moves.empty() || position.outcome(rules::ScoringTable{})) {
      position = draw_start(rules, rng);
      continue;
    }
    found.push_back(position);
    position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return found;
}
