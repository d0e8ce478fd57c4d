#pragma once
// What the root's search says: the order of its moves, their reports, what it teaches.

#include <vector>

#include "mcts/root_policy.h"
#include "mcts/tree.h"

namespace mcts {

struct MoveWeight {
  rules::Move move;
  float weight = 0;
};

// What the root's search teaches.
struct PolicyTarget {
  std::vector<MoveWeight> weights;  // positive, sum 1
  // The outcomes that the search expects behind the moves of `weights`, weighted by them.
  rules::Outcomes outcomes{};
  float value_stm = 0;  // their expected value for the side to move, in [-1, 1]
};

// One root move, for reports and MultiPV.
struct RootMove {
  rules::Move move;
  int visits = 0;  // of alpha-beta, which counts none: 1000 times drawing_weight()
  float prior = 0;
  float value_stm =
      0;  // for the side to move at the root, in [-1, 1]; the root's own where unvisited
  rules::Outcomes outcomes{};
  float moves_left = 0;
  bool proven = false;            // value_stm is exact
  std::vector<rules::Move> line;  // principal variation, this move first
};

// Every legal move of the root, best first.
std::vector<RootMove> root_moves(const Tree& tree, const RootPolicy& policy);
// The first of them, at less cost.
rules::Move best_move(const Tree& tree, const RootPolicy& policy);
struct MainLine {
  std::vector<rules::Move> moves;  // empty before the first visit
  bool exact = false;              // how the game ends behind it is known
};
// The first of them and what follows it.
MainLine main_line(const Tree& tree, const RootPolicy& policy);
PolicyTarget policy_target(const Tree& tree, const RootPolicy& policy);
// The visits by which a move is drawn; positive, not normalised, never empty.
std::vector<MoveWeight> drawing_weights(const Tree& tree, const RootPolicy& policy);

}  // namespace mcts
