#pragma once
// A learned evaluator as a player of matches: by alpha-beta search.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "tactics/alphabeta.h"

namespace arena {

inline constexpr int kNnueDrawnMoves = 8;

struct NnuePlayerOptions {
  std::string name;
  std::uint64_t nodes = 0;                 // the most a move; 0 = no limit
  std::chrono::milliseconds move_time{0};  // the longest thought about a move; 0 = no limit
  int hash_mib = 16;
  int threads = 1;  // that search one game together
  // One of the kNnueDrawnMoves best is drawn by drawing_weight()^(1 / temperature); 0: the best.
  double temperature = 0;
  int temperature_plies = 1000000;  // of a game, at its beginning; after them the best
  std::optional<rules::ScoringTable>
      table{};  // what it takes the outcomes to pay; empty: what they do
};

// Each game has an engine of its own, so that with a limit of nodes and one thread no game depends
// on another.
// REQUIRES: nodes or a time are given.
class NnuePlayer final : public OneGamePlayer {
 public:
  NnuePlayer(std::shared_ptr<const tactics::NnueWeights> weights, NnuePlayerOptions options)
      : weights_(std::move(weights)), options_(std::move(options)) {}

  std::string name() const override { return options_.name; }
  void new_game(int slot, base::Rng rng) override;
  bool timed() const override { return options_.move_time.count() > 0; }

 private:
  Choice choose_move(const GameView& game, base::Rng& rng) override;

  using Engine = tactics::AlphaBetaSearch<tactics::Nnue>;

  std::shared_ptr<const tactics::NnueWeights> weights_;
  NnuePlayerOptions options_;
  std::vector<std::unique_ptr<Engine>> engines_;  // by slot
};

}  // namespace arena
