#pragma once

#include <vector>

#include "base/rng.h"
#include "tactics/lookahead.h"

namespace tactics {

// Positions of games in which every other move is the lookahead's at one ply, the others random.
inline std::vector<rules::Position> played_positions(rules::RuleSet rules, std::size_t count) {
  std::vector<rules::Position> out;
  Lookahead lookahead;
  base::Rng rng(3);
  while (out.size() < count) {
    rules::Position position = rules::Position::start(rules);
    for (int ply = 0; ply < 120 && out.size() < count; ++ply) {
      rules::MoveList moves;
      position.surviving_moves(moves);
      if (moves.empty() || position.can_capture_king() || position.outcome({})) break;
      if (ply % 7 == 6) out.push_back(position);
      const rules::Move random = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
      const rules::Move best = lookahead.find(position, {}, moves, 1).best;
      position.play(best && rng.below(2) == 0 ? best : random);
    }
  }
  return out;
}

}  // namespace tactics
