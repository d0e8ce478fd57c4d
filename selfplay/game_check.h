#pragma once
// Games that others have played, before a run learns from them.

#include <cstddef>
#include <span>

#include "rules/repertoire.h"
#include "selfplay/game_record.h"

namespace selfplay {

// What a game must be to count in a run.
struct GameTerms {
  rules::Repertoire repertoire;
  int generation = 0;  // the newest that may have been played
};

// Takes any bytes: returns the record of a whole game of self-play, or throws base::InputError
// saying what is wrong. The rules have played it again: each move is legal, as is each move of a
// search's policy, the game goes on until its last move and ends with the outcome that the record
// says, under a scoring table of 0 to 10 points.
GameRecord checked_game(std::span<const std::byte> block, const GameTerms& terms);

}  // namespace selfplay
