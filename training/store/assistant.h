#pragma once
// Learners that help another one: they take their part of each of its steps
// (training/learner/learner_team.h).

#include "training/settings/run_config.h"
#include "training/settings/run_options.h"

namespace training {

// Learns with the leader until it has ended. Keeps nothing on disk and plays nothing. Reads the
// games in RunOptions::store under the name of RunOptions::folder. Throws what Team and
// selfplay::SharedStore do.
void assist(const RunConfig& config, const RunOptions& options);

}  // namespace training
