#pragma once
// How long to think about one move.

#include "tactics/search_limits.h"

namespace engine {

// Shares the clock out over the moves to come. `plies_left` is the search's guess at the game's
// remaining length, 0 if it has none; `overhead_ms` is lost between the program and the clock. Both
// budgets are at least 1 ms.
tactics::TimeBudget allot(const tactics::Clock& clock, double plies_left, double overhead_ms);

}  // namespace engine
