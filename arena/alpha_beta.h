#pragma once
// A small classical engine: tactics::Negamax under a scoring table. A rung of the ladder, and the
// judge of openings.

#include <memory>
#include <string>

#include "arena/player.h"
#include "rules/history.h"

namespace arena {

// One engine's memory and its search of one position at a time. Values are expected points of the
// side to move scaled to [-1, 1] under the table given; ends of the game are exact but for a trifle
// that prefers the nearer win.
class AlphaBeta {
 public:
  struct Result {
    rules::Move move;
    float value_stm = 0;
  };

  AlphaBeta();
  ~AlphaBeta();
  // Looks `depth` >= 1 plies ahead, and further along captures. Equal moves are chosen between by
  // `rng` (which orders the root's moves). Depends on nothing searched before. Repetitions of
  // `past` and on the way are ends of the game as the rules say; what lies behind a position that
  // two lines come to equally often is taken to be worth the same. REQUIRES: the game is not over.
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
