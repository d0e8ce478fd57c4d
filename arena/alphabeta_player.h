#pragma once
// Alpha-beta search as a player of matches, by a learned evaluator or by material.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "tactics/alphabeta.h"

namespace arena {

inline constexpr int kSampledMoves = 8;

struct AlphaBetaPlayerOptions {
  std::string name;
  tactics::SearchLimits limits{};  // nodes, depth or time of a move; not its clock
  int hash_mib = 16;               // of each game's table
  int memory_mib = 1 << 20;        // that they may take together: with many games each has less
  int threads = 1;                 // that search one game together
  // One of the kSampledMoves best is drawn by tactics::sample_move(); 0: the best.
  double temperature = 0;
  int temperature_plies = 1000000;  // of a game, at its beginning; after them the best
  std::optional<rules::ScoringTable>
      table{};  // what it takes the outcomes to pay; empty: what they do
  const tablebase::Tables* tablebase = nullptr;  // as AlphaBetaSearch::set_tablebase()
};

// Each game has an engine of its own, so that with a limit of nodes or depth and one thread no game
// depends on another. REQUIRES: nodes, depth or time are limited.
class AlphaBetaPlayer final : public OneGamePlayer {
 public:
  // Without weights it plays by material, draws between equal moves and, where there are cards,
  // searches by expectiminimax(), `limits.depth` turns.
  AlphaBetaPlayer(std::shared_ptr<const tactics::NnueWeights> weights,
                  AlphaBetaPlayerOptions options)
      : weights_(std::move(weights)), options_(std::move(options)) {}

  std::string name() const override { return options_.name; }
  void prepare(int slots) override;
  void new_game(int slot, base::Rng rng) override;
  bool timed() const override { return options_.limits.move_time_ms.has_value(); }

 private:
  Choice choose_move(const GameView& game, base::Rng& rng) override;

  std::shared_ptr<const tactics::NnueWeights> weights_;
  AlphaBetaPlayerOptions options_;
  int table_mib_ = options_.hash_mib;
  std::vector<std::unique_ptr<tactics::AlphaBetaSearch>> engines_;  // by slot
};

}  // namespace arena
