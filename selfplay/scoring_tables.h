#pragma once
// Which scoring table a training game is played under.

#include "base/rng.h"
#include "rules/outcome.h"
#include "selfplay/selfplay_config.h"

namespace selfplay {

// The run's own table, a table near it or a wide one, by the config's shares. Every drawn table
// keeps the order of the seven scores and stays within 0 … 10.
rules::ScoringTable draw_table(const SelfPlayConfig& config, const rules::ScoringTable& own,
                               base::Rng& rng);

}  // namespace selfplay
