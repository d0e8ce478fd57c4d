#pragma once
// Games of matches as PGN.

#include "arena/match.h"
#include "rules/pgn.h"

namespace arena {

// Event "Match", round: the game's number from 1; "OpeningPlies": how many moves were given. A
// forfeit is a resignation, with its reason in a tag "Forfeit".
rules::PgnGame pgn_game(const MatchGame& game, const MatchResult& match);

}  // namespace arena
