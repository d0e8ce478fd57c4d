#pragma once
// What files say of whole endings.

#include <array>
#include <cstdint>
#include <string>

#include "rules/outcome.h"
#include "tablebase/material.h"
#include "tablebase/tables.h"

namespace tablebase {

// The positions that are worth something else than the best of what their moves lead to, with any
// number of plies left.
struct Contradictions {
  std::uint64_t positions = 0;  // that were looked at
  std::uint64_t found = 0;
  std::string first;  // its FEN
};
// REQUIRES: the tables have the material and all that is smaller.
Contradictions contradictions(const Material& material, const Tables& tables);

// How many positions are worth each outcome with all plies left: by the side to move and
// rules::Outcome. Those in which the side to move can take the king are left out. Of those that are
// the same by mirroring or turning the board each counts, but colours are not swapped.
using OutcomeCounts = std::array<std::array<std::uint64_t, rules::kOutcomes>, 2>;
// REQUIRES: the tables have the material.
OutcomeCounts count_outcomes(const Material& material, const Tables& tables);

}  // namespace tablebase
