#pragma once
// A small classical engine: tactics::Negamax under a scoring table, expectiminimax where there are
// cards. A player of the ladder, and what tells whether an opening is balanced.

#include <memory>
#include <string>

#include "arena/player.h"
#include "rules/history.h"

namespace arena {

// One engine's memory and its search of one position at a time. Values are expected points of the
// side to move scaled to [-1, 1] under the table given; ends of the game are exact, less a ten
// thousandth a ply, so that the nearer win is preferred.
class AlphaBeta {
 public:
  struct Result {
    rules::Move move;
    float value_stm = 0;
  };

  AlphaBeta();
  ~AlphaBeta();
  // Searches `depth` >= 1 plies (where there are cards, turns), then captures (quiescence search).
  // `rng` orders the root's moves and so chooses between equal ones. Does not depend on earlier
  // searches. Repetitions of `past` and in the search end the game as the rules say; a position
  // that two lines reach equally often is valued once. REQUIRES: the game is not over, no card is
  // being drawn.
  Result search(const rules::Position& position, const rules::ScoringTable& table, int depth,
                base::Rng& rng, rules::History past = {});

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

class AlphaBetaPlayer final : public OneGamePlayer {
 public:
  explicit AlphaBetaPlayer(int depth) : depth_(depth) {}
  std::string name() const override { return "alphabeta:" + std::to_string(depth_); }

 private:
  Choice choose_move(const GameView& game, base::Rng& rng) override;

  int depth_;
  AlphaBeta engine_;
};

}  // namespace arena
