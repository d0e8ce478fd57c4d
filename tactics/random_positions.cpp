#include "tactics/random_positions.h"

#include "base/rng.h"
#include "rules/move_list.h"

namespace tactics {

std::vector<rules::Position> random_positions(std::size_t count) {
  std::vector<rules::Position> all;
  base::Rng rng(1);
  rules::Position position = rules::Position::start();
  while (all.size() < count) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty() || position.can_capture_king() || position.outcome({})) {
      position = rules::Position::start();
      continue;
    }
    all.push_back(position);
    position.play(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return all;
}

}  // namespace tactics
