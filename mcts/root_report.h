#pragma once
// What the root's search says: the order of its moves, their reports, what it teaches.

#include <array>
#include <vector>

#include "mcts/root_move.h"
#include "mcts/root_policy.h"
#include "mcts/tree.h"

namespace mcts {

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
// PolicyTarget::weights.
std::vector<MoveWeight> target_weights(const Tree& tree, const RootPolicy& policy);
// PolicyTarget::outcomes of target_weights().
std::array<float, rules::kOutcomes> target_outcomes(const Tree& tree,
                                                    const std::vector<MoveWeight>& weights);
// The visits by which a move is drawn; positive, not normalised, never empty.
std::vector<MoveWeight> drawing_weights(const Tree& tree, const RootPolicy& policy);

}  // namespace mcts
