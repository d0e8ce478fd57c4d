#pragma once
// Networks and players as the command line names them.

#include <string>

#include "app/options.h"
#include "nn/checkpoint.h"
#include "selfplay/player.h"

namespace app {

// C: a checkpoint folder, a run folder or a file; empty: the network that comes with the program.
// Throws nn::CheckpointError, or selfplay::InputError where nothing is named and none comes along.
nn::NetworkFile load_network(const std::string& name);

// Throws selfplay::InputError where the network, loaded from `where`, was trained for another set.
void require_rules(const nn::NetworkFile& network, const std::string& where, rules::RuleSet rules);

// P: a network as above, which plays the rule set, or one of selfplay::baseline_player(). Throws
// selfplay::InputError or nn::CheckpointError.
selfplay::PlayerFactory player(const std::string& name, int simulations,
                               const CommonOptions& options, rules::RuleSet rules);

}  // namespace app
