#include "selfplay/scoring_tables.h"

#include "rules/table_spread.h"

namespace selfplay {

rules::ScoringTable draw_table(const SelfPlayConfig& config, const rules::ScoringTable& own,
                               base::Rng& rng) {
  const double draw = rng.uniform();
  const auto official = static_cast<double>(config.official_table_share);
  if (draw < official) return own;
  const bool near = draw < official + static_cast<double>(config.near_table_share);
  return rules::drawn_around(own, near ? rules::kNearTables : rules::kWideTables,
                             /*pawn_too=*/false, rng);
}

}  // namespace selfplay
