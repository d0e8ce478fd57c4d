#pragma once
// Networks and players as the command line names them.

#include <optional>
#include <string>

#include "app/options.h"
#include "nn/checkpoint.h"
#include "selfplay/match.h"
#include "selfplay/player.h"

namespace app {

// C: a checkpoint folder, a run folder or a file; empty: the network that comes with the program.
// Throws nn::CheckpointError, or selfplay::InputError where nothing is named and none comes along.
nn::NetworkFile load_network(const std::string& name);

// Throws selfplay::InputError where the network, loaded from `where`, was trained for another set.
void require_rules(const nn::NetworkFile& network, const std::string& where, rules::RuleSet rules);

// P: a network as above, which plays the rule set with so many simulations a move unless its name
// sets others, or one of selfplay::baseline_player(). Throws selfplay::InputError or
// nn::CheckpointError.
selfplay::PlayerFactory player(const std::string& name, int simulations,
                               const CommonOptions& options, rules::RuleSet rules);

// What the settings in a network player's name say of its simulations a move; empty where they say
// nothing, and for the other players. Throws selfplay::InputError where they are badly filled in.
std::optional<int> simulations_in(const std::string& name, const CommonOptions& options);

// Says so on stderr where all games of the match begin alike.
void warn_of_one_opening(const selfplay::MatchConfig& match);

}  // namespace app
