#pragma once
// What a search says of a position, whichever way it searches.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "rules/outcome.h"
#include "rules/types.h"

namespace tactics {

// One root move.
struct RootMove {
  rules::Move move;
  int visits = 0;     // of the tree's edge; alpha-beta counts none
  double weight = 0;  // relative to the others', by which sample_move() draws it: >= 0
  float prior = 0;    // of the tree's network
  // For the side to move at the root, in [-1, 1]; the root's own where unvisited.
  float value_stm = 0;
  int score =
      0;  // of alpha-beta: value_stm as it compares it, with the distance of a win (score.h)
  rules::Outcomes outcomes{};       // that are expected behind it
  float moves_left = 0;             // that the tree's network expects; where it is known, plies
                                    // as tablebase::Verdict, this one counted
  bool proven = false;              // value_stm is exact
  std::vector<rules::Move> line{};  // principal variation, this move first
};

struct SearchReport {
  bool final = false;  // the last of this search
  bool known = false;  // a tablebase knows all moves: nothing was searched
  int depth = 0;       // as in SearchLimits
  int selective_depth = 0;
  double elapsed_ms = 0;
  std::uint64_t nodes = 0;           // as in SearchLimits
  double nodes_per_s = 0;            // without the visits of a kept subtree
  std::uint64_t tablebase_hits = 0;  // positions that a tablebase knew
  // Best first: every legal move, or the search_moves (tree search); as many as lines are asked for
  // (alpha-beta).
  std::vector<RootMove> moves;
  double points_white = 5;  // White's expected points, of ten
  int threads = 1;          // as asked for, or fewer where the machine has no more
  std::string error;        // message of the exception that ended the search; empty: none

  const RootMove& best() const { return moves.front(); }
};

// The index of one of the weights, drawn by weight^(1 / temperature); 0 where none is positive.
// REQUIRES: not empty, temperature > 0.
std::size_t sample_by_weight(std::span<const double> weights, double temperature, base::Rng& rng);

// One of a report's moves, drawn by their weights; with temperature 0 the best. A move that is
// proven best is always taken, one that is proven worse never.
const RootMove& sample_move(const std::vector<RootMove>& moves, double temperature, base::Rng& rng);

}  // namespace tactics
