#pragma once
// Networks and players as the command line names them.

#include <cstdint>
#include <optional>
#include <string>

#include "app/common_options.h"
#include "arena/match.h"
#include "arena/player.h"
#include "nn/checkpoint.h"
#include "nn/nnue_file.h"
#include "studies/study.h"

namespace app {

// `name`: a checkpoint folder, a run folder or a file; empty: the network that comes with the
// program. Throws nn::CheckpointError, or base::InputError where nothing is named and none comes
// along.
nn::NetworkFile load_network(const std::string& name);

// Throws base::InputError where what was loaded by this name was trained for other rule sets.
void require_rules(const rules::Repertoire& trained, const std::string& name, rules::RuleSet rules);

// From now on the two below let it play all the same where its inputs fit (--any-rules), and warn.
void allow_any_rules();
// Throw as require_rules() where the network was trained for other rule sets.
void take_rules(nn::NetworkFile& network, const std::string& name, rules::RuleSet rules);
void take_rules(nn::NnueFile& nnue, const std::string& name, rules::RuleSet rules);

// Throws as those two where a network or an NNUE of this name cannot be had.
void require_network(const std::string& name, rules::RuleSet rules);

// `name`: a network as above (CommonOptions::need_net()), which plays the rule set with so many
// simulations a move unless its name sets others or a time, an NNUE's file, which plays by
// alpha-beta search, or one of arena::baseline_player(). Throws base::InputError or
// nn::CheckpointError.
arena::PlayerFactory player(const std::string& name, int simulations, const CommonOptions& options,
                            rules::RuleSet rules);

// Empty for other players than networks. Throws base::InputError where the settings are badly
// filled in.
std::optional<studies::MoveBudget> budget_in(const std::string& name, const CommonOptions& options,
                                             rules::RuleSet rules);

// A network player's weights as a number that tells them apart; empty for other players. Throws as
// player() does.
std::optional<std::uint64_t> weights_of(const std::string& name, rules::RuleSet rules);

// Says so on stderr where all games of the match begin alike.
void warn_of_one_opening(const arena::MatchConfig& match);

}  // namespace app
