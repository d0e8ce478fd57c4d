#include "rules/table_spread.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rules {

ScoringTable drawn_around(const ScoringTable& own, const TableSpread& spread, bool pawn_too,
                          base::Rng& rng) {
  ScoringTable table = own;
  const auto& points = own.points_white;
  const std::array<double, kOutcomes> spreads{
      0, spread.stalemates, spread.impasses, spread.impasses, spread.impasses, spread.stalemates,
      0};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    std::size_t below = i - 1, above = i + 1;  // the next ones that stay
    while (spreads[below] > 0) --below;
    while (spreads[above] > 0) ++above;
    const auto [least, most] = std::minmax(points[below], points[above]);
    table.points_white[i] = std::clamp(points[i] + spreads[i] * rng.normal(), least, most);
  }
  std::sort(table.points_white.begin(), table.points_white.end());
  for (std::size_t i = pawn_too ? 0 : 1; i < table.material.size(); ++i) {
    table.material[i] = own.material[i] * std::exp(spread.material * rng.normal());
  }
  return table;
}

}  // namespace rules
