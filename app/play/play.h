#pragma once
// A game against the program, in words.

#include <istream>
#include <ostream>

#include "app/play/backend.h"
#include "app/play/board_view.h"
#include "app/play/game_session.h"

namespace app {

struct PlaySettings {
  GameSettings game;  // with a side
  int threads = 1;
  Look look;
};

// Plays game after game until the human quits or the input ends. Moves are read as SAN or UCI; a
// line that is neither a move nor a word of `help` gets an explanation.
void play(const PlaySettings& settings, const Backend& backend, std::istream& in,
          std::ostream& out);

}  // namespace app
