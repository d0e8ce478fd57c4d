#pragma once
// What the root's search says: the order of its moves, their reports, what it teaches.

#include <vector>

#include "mcts/root_policy.h"
#include "mcts/tree.h"
#include "tactics/search_report.h"

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

using tactics::RootMove;

// Every legal move of the root, best first; weighted by visits.
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
std::vector<MoveWeight> sampling_weights(const Tree& tree, const RootPolicy& policy);

}  // namespace mcts
