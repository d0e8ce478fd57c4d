#pragma once
// A game against the program, in words.

#include <array>
#include <cstdint>
#include <istream>
#include <ostream>

#include "app/backend.h"
#include "app/board_view.h"
#include "rules/outcome.h"

namespace app {

// How well the program plays: what it looks at before a move, and how freely it then draws one by
// visits^(1 / temperature); 0: always the best.
struct PlayLevel {
  int simulations;
  double temperature;
};

// Level 1 is the first.
inline constexpr std::array<PlayLevel, 6> kPlayLevels{
    {{8, 1.0}, {32, 0.7}, {100, 0.4}, {400, 0}, {1600, 0}, {6400, 0}}};

struct PlaySettings {
  rules::RuleSet rules;
  rules::ScoringTable table;
  rules::Color side = rules::Color::kWhite;  // the human's
  int level = 4;
  int simulations = 0;  // instead of the level's, where positive
  int threads = 1;
  std::uint64_t seed = 1;  // of what the levels and the first moves leave to chance
  Look look;
};

// Plays game after game until the human quits or the input ends. Moves are read as SAN or UCI; a
// line that is neither a move nor a word of `help` gets an explanation.
void play(const PlaySettings& settings, const Backend& backend, std::istream& in,
          std::ostream& out);

}  // namespace app
