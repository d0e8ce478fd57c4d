#pragma once
// Games of others, as records that a network can learn from.

#include <filesystem>
#include <vector>

#include "rules/rule_set.h"
#include "selfplay/game_record.h"

namespace selfplay {

// Returns the games of a run folder, a store (FILE.db) or else a PGN file, in order; of a PGN file
// those that were finished without a forfeit, numbered by their ids. Their generation is 0.
// `untagged`: the rule set of PGN games that name none. Throws InputError naming the file and the
// game.
std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged);

}  // namespace selfplay
