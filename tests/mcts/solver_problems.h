#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "rules/position.h"

namespace mcts {

struct Problem {
  int plies;
  double points;  // of the mover
  rules::Position position;
};

inline std::vector<Problem> problems() {
  std::vector<Problem> result;
  std::ifstream file(SHARPZERO_TEST_DATA "/solver_positions.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    int plies = 0;
    double points = 0;
    std::string fen;
    words >> plies >> points;
    std::getline(words >> std::ws, fen);
    result.push_back({plies, points, rules::Position::from_fen(fen)});
  }
  return result;
}

}  // namespace mcts
