#pragma once
// Games of the store and of matches as PGN.

#include "rules/pgn.h"
#include "selfplay/game_record.h"
#include "selfplay/match.h"

namespace selfplay {

// Event "Self-play, generation G", round: the record's id. Throws InputError naming the game where
// its moves are not legal.
rules::PgnGame pgn_game(const GameRecord& record);

// Event "Match", round: the game's number from 1; "OpeningPlies": how many moves were given. A
// forfeit is a resignation, with its reason in a tag "Forfeit".
rules::PgnGame pgn_game(const MatchGame& game, const MatchResult& match);

// The game was decided by a player's fault, not by play.
bool forfeited(const rules::PgnGame& game);

// A finished game. Of each move behind the opening (tag "OpeningPlies") that does not hang the king
// the policy is that move alone; every value is the game's end. Its id and seed are `number`, not
// 0. REQUIRES: game.outcome.
GameRecord game_record(const rules::PgnGame& game, std::uint64_t number);

}  // namespace selfplay
