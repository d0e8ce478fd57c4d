#pragma once
// What ends a search of a position, whichever way it searches.

#include <cstdint>
#include <optional>
#include <vector>

#include "rules/types.h"

namespace tactics {

// A player's clock, in milliseconds.
struct Clock {
  double left_ms = 0;
  double increment_ms = 0;
  int moves_to_go = 0;  // until the next time control; 0: none
};

// What of a clock one move may take.
struct TimeBudget {
  double soft_ms = 0;  // enough when the search has made up its mind; 0: no limit
  double hard_ms = 0;  // never longer; 0: no limit
};

// The first that holds ends the search. None set: only whoever stops it does. What is of one kind
// of search the other does not look at.
struct SearchLimits {
  // Visits of the root, those of a kept subtree included (tree search), or positions searched, of
  // all threads (alpha-beta); 0 = no limit.
  std::uint64_t nodes = 0;
  int evaluations = 0;  // leaves for the evaluator (tree search of a game); 0 = no limit
  // Plies of the main line, or fewer after 10,000 visits where the line's end is exact (tree
  // search), or the iteration (alpha-beta); 0 = no limit.
  int depth = 0;
  std::optional<double> move_time_ms{};
  std::optional<Clock> clock{};  // of an engine
  bool infinite = false;         // until it is stopped, even when the root is proven
  // As infinite until the move pondered on is played; from then on the other limits hold, and time
  // counts.
  bool ponder = false;

  int multi_pv = 1;                         // lines that are reported
  std::vector<rules::Move> search_moves{};  // only these; empty = all
  // Root noise and forced playouts (tree search of self-play).
  bool explore = false;
  // Nothing is pruned or reduced before the quiescence search, which tries captures that lose
  // material too: so a small depth finds most (alpha-beta).
  bool full_width = false;
};

}  // namespace tactics
