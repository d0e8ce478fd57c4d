#pragma once
// What a played game teaches of the outcome at one of its positions.

#include <cstddef>

#include "rules/outcome.h"
#include "selfplay/game_record.h"
#include "training/settings/learner_config.h"

namespace training {

// The fraction of the searches' estimates in the targets of a game that this generation played.
float search_share(int generation, const LearnerConfig& config);

// The sum of the search's outcome shares, or 0 where it knew no more of the outcome than a network
// that has learned nothing.
float estimated(const selfplay::PlyRecord& ply);

// The game's end mixed with what the searches from `ply` on estimate, by search_share and the
// config's search_value_plies; searches that had no network to ask have no say.
// Probabilities, from loses to wins of `side_to_move`, who is to move at `ply`.
// REQUIRES: ply <= game.plies.size().
rules::Outcomes outcome_target(const selfplay::GameRecord& game, std::size_t ply,
                               rules::Color side_to_move, const LearnerConfig& config);

}  // namespace training
