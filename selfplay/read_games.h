#pragma once
// Games that others have played, as records that a network can learn from.

#include <filesystem>
#include <vector>

#include "rules/rule_set.h"
#include "selfplay/game_record.h"

namespace selfplay {

// The games of a run folder, a store (FILE.db) or else a PGN file, in order; of PGN those that were
// played to an end without a forfeit. Their generation is 0, of PGN their id the number among them.
// `untagged`: the rule set of PGN games that name none. Throws InputError naming the file and the
// game.
std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged);

}  // namespace selfplay
