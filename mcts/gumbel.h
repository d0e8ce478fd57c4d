#pragma once
// Gumbel AlphaZero (Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022).

#include <cstddef>
#include <span>
#include <vector>

#include "mcts/tree.h"

namespace mcts {

// The values of a node's moves, those of unvisited ones completed by the paper's mixed value
// (appendix D), as exponents for a softmax. Viewpoint: the side to move.
struct CompletedValues {
  float mixed = 0;  // value of an unvisited move, in [-1, 1]
  float scale = 0;  // exponent for a value unit (sigma's slope)

  CompletedValues(const Tree& tree, const Node& node);
  float exponent(float value) const { return scale * (value - mixed); }
  // The value of the node's i-th move.
  float value(const Tree& tree, const Node& node, std::size_t i) const {
    if (i >= node.edge_count || !tree.valued(tree.edges(node)[i])) return mixed;
    return seen_by(tree.edges(node)[i].value_white, node.side_to_move);
  }
};

// softmax(log prior + exponent) over the node's moves; pruned moves get 0. Writes the probabilities
// of the walked moves; an unwalked move has its prior times the factor returned. REQUIRES: out has
// room for node.edge_count.
float improved_policy(const Tree& tree, const Node& node, std::span<float> out);

// The visits that the move chosen for each simulation must have so far: sequential halving over
// `actions` moves with `simulations` in all.
std::vector<int> sequential_halving(int actions, int simulations);

}  // namespace mcts
