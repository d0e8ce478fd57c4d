#include "rules/table_spread.h"

#include <algorithm>
#include <cmath>

namespace rules {

ScoringTable drawn_around(const ScoringTable& own, const TableSpread& spread, bool pawn_too,
                          base::Rng& rng) {
  ScoringTable table = own;
  for (std::size_t i = 1; i + 1 < table.points_white.size(); ++i) {
    const double moved = own.points_white[i] + spread.points * rng.normal();
    table.points_white[i] = std::clamp(moved, 0.0, 10.0);
  }
  std::sort(table.points_white.begin(), table.points_white.end());
  for (std::size_t i = pawn_too ? 0 : 1; i < table.material.size(); ++i) {
    table.material[i] = own.material[i] * std::exp(spread.material * rng.normal());
  }
  return table;
}

}  // namespace rules
