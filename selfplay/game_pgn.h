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

}  // namespace selfplay
