#pragma once
// Counts of the game tree's leaves: the proof and the speed of the move generator.

#include <cstdint>
#include <utility>
#include <vector>

#include "rules/position.h"

namespace rules {

struct PerftOptions {
  bool ends = false;  // stop at impasse, stalemate and no legal move too, not only at a lost king
  bool bulk = true;   // count the last ply by popcount instead of making every leaf
};

// Leaves at this depth; a node where the game has ended has no children. REQUIRES: depth >= 0.
std::uint64_t perft(const Position& position, int depth, PerftOptions options = {});

// The same, for each legal move of the position. REQUIRES: depth >= 1.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth,
                                                         PerftOptions options = {});

}  // namespace rules
