#pragma once
// Games that others have played, as records that a network can learn from.

#include <filesystem>
#include <vector>

#include "rules/pgn.h"
#include "selfplay/game_record.h"

namespace selfplay {

// A finished game. Of each move behind the opening (tag "OpeningPlies") that does not hang the king
// the policy is that move alone; every value is the game's end. Its seed is `number`, not 0.
// REQUIRES: game.outcome.
GameRecord game_record(const rules::PgnGame& game, std::uint64_t number);

// The games of a run folder, a store (FILE.db) or else a PGN file, in order; of PGN those that
// were played to an end without a forfeit. Their generation is 0, their
// id the number in the file. `untagged`: the rule set of PGN
// games that name none. Throws InputError naming the file and the game.
std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged);

}  // namespace selfplay
