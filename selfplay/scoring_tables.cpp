#include "selfplay/scoring_tables.h"

#include <algorithm>
#include <cmath>

namespace selfplay {
namespace {

constexpr double kNearPoints = 0.5, kWidePoints = 2.5;       // standard deviations, points of ten
constexpr double kNearMaterial = 0.08, kWideMaterial = 0.3;  // of the logarithm of a piece's value

}  // namespace

rules::ScoringTable draw_table(const SelfPlayConfig& config, const rules::ScoringTable& own,
                               rules::Rng& rng) {
  const double draw = rng.uniform();
  const auto official = static_cast<double>(config.official_table_share);
  if (draw < official) return own;
  const bool near = draw < official + static_cast<double>(config.near_table_share);
  rules::ScoringTable table = own;
  // Who takes the king wins all ten points under every table; the five graded outcomes move.
  for (std::size_t i = 1; i < 6; ++i) {
    const double moved = own.points_white[i] + (near ? kNearPoints : kWidePoints) * rng.normal();
    table.points_white[i] = std::clamp(moved, 0.0, 10.0);
  }
  std::sort(table.points_white.begin(), table.points_white.end());
  for (std::size_t i = 1; i < 5; ++i) {
    table.material[i] =
        own.material[i] * std::exp((near ? kNearMaterial : kWideMaterial) * rng.normal());
  }
  return table;
}

}  // namespace selfplay
