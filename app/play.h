#pragma once
// A game against the program, in words.

#include <istream>
#include <ostream>
#include <string>

#include "app/uci.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace app {

struct PlaySettings {
  rules::RuleSet rules;
  rules::ScoringTable table;
  rules::Color side = rules::Color::kWhite;  // the human's
  int simulations = 800;                     // of the program's moves
  int threads = 1;
};

// The board with both reserves, as a text of ten lines.
std::string draw(const rules::Position& position);

// Plays until the game is over, the human quits or the input ends. Moves are read as SAN or UCI; a
// line that is neither gets an explanation.
void play(const PlaySettings& settings, const Brain& brain, std::istream& in, std::ostream& out);

}  // namespace app
