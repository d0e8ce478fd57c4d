#pragma once
// Records as PGN games, and games of others as records that a network can learn from.

#include <filesystem>
#include <string>
#include <vector>

#include "rules/pgn.h"
#include "selfplay/game_record.h"

namespace selfplay {

// Tags of self-play's games: what tells a game from the others of its store.
inline constexpr const char* kGeneration = "Generation";
inline constexpr const char* kSeed = "Seed";
// Tags of a match's games: the number of opening moves, and why a player forfeited.
inline constexpr const char* kOpeningPlies = "OpeningPlies";
inline constexpr const char* kForfeit = "Forfeit";

// Returns the record with the event "Self-play, generation G", its id as the round, and the tags
// above. Throws InputError naming the game where its moves are not legal.
rules::PgnGame pgn_game(const GameRecord& record);

// Whether the game ended by a forfeit.
bool forfeited(const rules::PgnGame& game);

// Returns the record of a finished game. The policy of each move after the opening (tag
// "OpeningPlies") that does not hang the king is that move alone; every value is the outcome's. Its
// id is `number`; its generation and seed are those of its tags, else 0 and `number`. REQUIRES:
// game.outcome; number > 0.
GameRecord game_record(const rules::PgnGame& game, std::uint64_t number);

// Returns the games of a PGN file that were finished without a forfeit, numbered in order.
// `untagged`: the rule set of games that name none. A game that cannot be read is left out, and
// `refused` gets a line that names file, game and place; without `refused`, or where no game can be
// read, that line is thrown as an InputError.
std::vector<GameRecord> read_pgn(const std::filesystem::path& path, rules::RuleSet untagged,
                                 std::vector<std::string>* refused = nullptr);

// Returns, in order, the games of a run folder or store (FILE.db), or else of a PGN file, whose ids
// are then their seeds. Their generation is 0. Throws InputError naming the file and the
// game.
std::vector<GameRecord> read_games(const std::filesystem::path& path, rules::RuleSet untagged);

}  // namespace selfplay
