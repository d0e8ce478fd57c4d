#pragma once
// The recent games that a student learns from, whatever it makes of their positions.

#include <cstdint>

#include "base/rng.h"
#include "selfplay/game_record.h"
#include "training/settings/learner_config.h"

namespace training {

// Whether the game is a validation game, which is not learned from. It depends only on the game's
// seed and LearnerConfig::hold_out, so that later readers of a store agree. But a run whose
// hold_out was changed has learned from some of the new validation games.
inline bool is_validation_game(const selfplay::GameRecord& game, const LearnerConfig& config) {
  if (config.hold_out == 0) return false;
  base::Rng rng(game.seed);
  return rng.below(static_cast<std::uint32_t>(config.hold_out)) == 0;
}

// The config of the window of validation games: as many games back as the window itself.
LearnerConfig validation_config(LearnerConfig config);

// Owned by one thread.
class GameWindow {
 public:
  explicit GameWindow(const LearnerConfig& config) : config_(config) {}
  virtual ~GameWindow() = default;
  GameWindow(const GameWindow&) = default;
  GameWindow& operator=(const GameWindow&) = default;

  // Adds finished games in order, and drops the oldest once the window is full.
  virtual void add(selfplay::GameRecord game) = 0;
  // How many positions of the game can be learned from.
  virtual std::int64_t targets(const selfplay::GameRecord& game) const = 0;

  virtual std::int64_t games() const = 0;
  // Positions that can be learned from: in the window, and all ever added.
  virtual std::int64_t size() const = 0;
  std::int64_t total() const { return total_; }
  // Sets total(), which also counts positions that were dropped before a run was resumed.
  void set_total(std::int64_t total) { total_ = total; }
  // Positions that the window may hold now: all up to window_min, then a power of the total.
  std::int64_t capacity() const;
  // The newest positions by which it is known what the window holds, with the rest of the
  // generation that they begin in.
  virtual std::int64_t memory() const { return config_.window_max; }

 protected:
  LearnerConfig config_;
  std::int64_t total_ = 0;
};

}  // namespace training
