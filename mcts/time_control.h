#pragma once
// How long to think about one move.

#include <optional>

namespace mcts {

// A player's clock, in milliseconds.
struct Clock {
  double left_ms = 0;
  double increment_ms = 0;
  int moves_to_go = 0;  // until the next time control; 0: none
};

struct TimeBudget {
  double soft_ms = 0;  // enough when the search has made up its mind
  double hard_ms = 0;  // never longer
};

// Shares the clock out over the moves to come. `plies_left` is the search's guess at the game's
// remaining length, 0 if it has none; `overhead_ms` is lost between the program and the clock. Both
// budgets are at least 1 ms.
TimeBudget allot(const Clock& clock, double plies_left, double overhead_ms);

}  // namespace mcts
