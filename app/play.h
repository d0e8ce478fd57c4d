#pragma once
// A game against the program, in words.

#include <cstdint>
#include <istream>
#include <ostream>

#include "app/backend.h"
#include "app/board_view.h"
#include "rules/outcome.h"

namespace app {

struct PlaySettings {
  rules::RuleSet rules;
  rules::ScoringTable table;
  rules::Color side = rules::Color::kWhite;  // the human's
  int level = 4;                             // the first is 1
  int budget = 0;  // instead of the level's, where positive; of which the best move is played
  int threads = 1;
  std::uint64_t seed = 1;  // of what the levels and the first moves leave to chance
  Look look;
};

// Plays game after game until the human quits or the input ends. Moves are read as SAN or UCI; a
// line that is neither a move nor a word of `help` gets an explanation.
void play(const PlaySettings& settings, const Backend& backend, std::istream& in,
          std::ostream& out);

}  // namespace app
