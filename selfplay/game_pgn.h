#pragma once
// Games of the store as PGN, and games of PGN as records.

#include "rules/pgn.h"
#include "selfplay/game_record.h"

namespace selfplay {

// Tags of a match's games: how many moves were given, and why the loser gave up where he did.
inline constexpr const char* kOpeningPlies = "OpeningPlies";
inline constexpr const char* kForfeit = "Forfeit";

// Event "Self-play, generation G", round: the record's id. Throws InputError naming the game where
// its moves are not legal.
rules::PgnGame pgn_game(const GameRecord& record);

// The game was decided by a player's fault, not by play.
bool forfeited(const rules::PgnGame& game);

// A finished game. Of each move behind the opening (tag "OpeningPlies") that does not hang the king
// the policy is that move alone; every value is the game's end. Its id and seed are `number`, not
// 0. REQUIRES: game.outcome.
GameRecord game_record(const rules::PgnGame& game, std::uint64_t number);

}  // namespace selfplay
