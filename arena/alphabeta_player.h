#pragma once
// Alpha-beta search as a player of matches, by a learned evaluator or by material.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "tactics/alphabeta.h"

namespace arena {

inline constexpr int kDrawnMoves = 8;

struct AlphaBetaPlayerOptions {
  std::string name;
  std::uint64_t nodes = 0;                 // the most a move; 0 = no limit
  int depth = 0;                           // of the search, in full width; 0 = no limit
  std::chrono::milliseconds move_time{0};  // the longest thought about a move; 0 = no limit
  int hash_mib = 16;
  int threads = 1;  // that search one game together
  // One of the kDrawnMoves best is drawn by drawing_weight()^(1 / temperature); 0: the best.
  double temperature = 0;
  int temperature_plies = 1000000;  // of a game, at its beginning; after them the best
  std::optional<rules::ScoringTable>
      table{};  // what it takes the outcomes to pay; empty: what they do
};

// Each game has an engine of its own, so that with a limit of nodes or depth and one thread no game
// depends on another. REQUIRES: one of nodes, depth and time is given.
class AlphaBetaPlayer final : public OneGamePlayer {
 public:
  // Without weights it plays by material, draws between equal moves and, where there are cards,
  // searches by expectiminimax(), `depth` turns.
  AlphaBetaPlayer(std::shared_ptr<const tactics::NnueWeights> weights,
                  AlphaBetaPlayerOptions options)
      : weights_(std::move(weights)), options_(std::move(options)) {}

  std::string name() const override { return options_.name; }
  void new_game(int slot, base::Rng rng) override;
  bool timed() const override { return options_.move_time.count() > 0; }

 private:
  Choice choose_move(const GameView& game, base::Rng& rng) override;

  std::shared_ptr<const tactics::NnueWeights> weights_;
  AlphaBetaPlayerOptions options_;
  std::vector<std::unique_ptr<tactics::AlphaBetaSearch>> engines_;  // by slot
};

}  // namespace arena
