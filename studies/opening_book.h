#pragma once
// The main lines of games: for each common first move the most common answers to it.

#include <string>
#include <vector>

#include "rules/position.h"
#include "studies/game_facts.h"
#include "studies/self_games.h"

namespace studies {

struct MainLine {
  std::vector<std::string> moves;  // SAN
  rules::Position end;             // after them
  std::size_t first_games = 0;     // with its first move
  std::size_t games = 0;           // that go through the whole line
  Estimate points_white;           // of the latter
};

// Mirror images count as one, where the rules do not know left from right. The commonest first move
// comes first; first moves of less than one game in fifty are left out. A line ends after `plies`,
// or where less than `least` games go on alike. Empty where games begin differently.
std::vector<MainLine> main_lines(const SelfGamesConfig& config,
                                 const std::vector<selfplay::GameRecord>& games, int plies = 8,
                                 std::size_t least = 10);

}  // namespace studies
