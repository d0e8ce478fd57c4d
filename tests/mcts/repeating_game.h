#pragma once

#include <string>
#include <vector>

#include "rules/history.h"
#include "rules/notation.h"
#include "rules/position.h"

namespace mcts {

// A game of chess under way.
struct Game {
  explicit Game(const char* fen)
      : start(rules::Position::from_fen(fen, rules::kChess)), position(start) {}

  void play(rules::Move move) {
    moves.push_back(move);
    position.play(move);
  }
  void play(const std::vector<std::string>& line) {
    for (const std::string& move : line) play(rules::parse_uci(position, move));
  }
  rules::History past() const { return rules::History(start, moves); }

  rules::Position start, position;
  std::vector<rules::Move> moves;
};

// White's rook and Black's king have gone to and fro: Kd8-e8 brings the start for the third time.
inline Game to_and_fro() {
  Game game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
  game.play({"a1a2", "e8d8", "a2a1", "d8e8", "a1a2", "e8d8", "a2a1"});
  return game;
}

}  // namespace mcts
