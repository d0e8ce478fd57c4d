#pragma once
// What a search says of its root: of each move, and what a network learns from it.

#include <array>
#include <vector>

#include "rules/outcome.h"
#include "rules/types.h"

namespace mcts {

struct MoveWeight {
  rules::Move move;
  float weight = 0;
};

// What the root's search teaches.
struct PolicyTarget {
  std::vector<MoveWeight> weights;  // positive, sum 1
  // What the moves of `weights` lead to by the search, weighed so: what was tried and found bad
  // does not count. rules::Outcome order, sum 1.
  std::array<float, rules::kOutcomes> outcomes{};
  float value_stm = 0;  // the same in points, mover's side, in [-1, 1]
};

// One root move, for reports and MultiPV.
struct RootMove {
  rules::Move move;
  int visits = 0;
  float prior = 0;
  float value_stm = 0;  // of the root's mover, in [-1, 1]; the parent's estimate where unvisited
  std::array<float, rules::kOutcomes> outcomes{};
  float moves_left = 0;
  bool proven = false;            // value_stm is exact
  std::vector<rules::Move> line;  // principal variation, this move first
};

}  // namespace mcts
