#pragma once
// How fast the NNUE and the search by it are here, on one thread, and whether the search is the
// same.

#include <cstdint>
#include <memory>

#include "tactics/nnue.h"

namespace tactics {

struct NnueSpeed {
  // Values of positions one move apart, a second: the sums brought up to date for each.
  double evals_per_s = 0;
  // Nodes a second of the alpha-beta search from the start position.
  double nodes_per_s = 0;
};

// Takes about two seconds.
NnueSpeed bench_nnue(std::shared_ptr<const NnueWeights> weights);

// A hash of nodes, moves and scores of searches by material from fixed positions to fixed depths:
// the same on every machine, another where the search was changed.
std::uint64_t alphabeta_signature();

}  // namespace tactics
