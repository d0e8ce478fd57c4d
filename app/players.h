#pragma once
// Networks and players as the command line names them.

#include <string>

#include "app/options.h"
#include "nn/checkpoint.h"
#include "rules/outcome.h"
#include "selfplay/player.h"

namespace app {

// C: a checkpoint folder, a run folder or a file; empty: the network that comes with the program.
// Throws nn::CheckpointError, or selfplay::InputError where nothing is named and none comes along.
nn::NetworkFile network(const std::string& name);

// P: a network as above, or one of selfplay::baseline_player().
selfplay::PlayerFactory player(const std::string& name, int simulations,
                               const CommonOptions& options);

// T: "default", a list of changes or a TOML file with the same keys. Throws selfplay::InputError or
// rules::RulesError.
rules::ScoringTable scoring_table(const std::string& text);

}  // namespace app
