#pragma once

#include <algorithm>
#include <vector>

#include "rules/position.h"
#include "tactics/nnue.h"

namespace training {

// In the order in which NnueBatch takes them.
inline std::vector<rules::Position> by_stack(std::vector<rules::Position> positions) {
  std::ranges::stable_sort(positions, {}, tactics::nnue_stack);
  return positions;
}

}  // namespace training
