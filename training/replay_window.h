#pragma once
// The recent games a network learns from, and how a position of them becomes a training row.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/rng.h"
#include "mcts/search_config.h"
#include "nn/encoder.h"
#include "nn/network_config.h"
#include "selfplay/game_record.h"
#include "training/learner_config.h"

namespace training {

inline constexpr int kAuxiliaryTargets = nn::kAuxiliary;

// Moves of each row and what a policy says of them.
struct PolicyRows {
  int width = 0;                      // columns: the most moves of any row, at least 1
  std::vector<std::int64_t> indices;  // [rows, width], 0 where the mask is 0
  std::vector<float> mask;            // [rows, width], 1 for a move, 0 for padding
  std::vector<float> targets;         // [rows, width], sum 1 a row, 0 for a row without moves
};

// Rows ready for the network, all from the mover's side. Reused: resize() keeps the memory.
struct TrainingBatch {
  int rows = 0;
  nn::Shape shape;                             // of the positions
  std::vector<nn::EncodedPosition> positions;  // [rows]
  PolicyRows policy;
  std::vector<float> outcomes;    // [rows, 7], mover loses … mover wins, sum 1
  std::vector<float> moves_left;  // [rows], plies
  std::vector<float> auxiliary;   // [rows, kAuxiliaryTargets], see nn/network_config.h
};

// Whether the game is one of those that are not learned from. It depends on the game's seed and on
// LearnerConfig::hold_out alone, so that later readers of a store agree. But a run whose hold_out
// was changed on the way has learned from games that are held out by the new one.
bool held_out(const selfplay::GameRecord& game, const LearnerConfig& config);

// Owned by one thread; sample() is const and may run on several.
class ReplayWindow {
 public:
  // `search`: that of self-play, for what rows are told of tactics.
  explicit ReplayWindow(const LearnerConfig& config, const nn::Encoder& encoder = {},
                        const mcts::SearchConfig& search = {})
      : config_(config), encoder_(encoder), search_(search) {}

  // Adds finished games in order, and lets the oldest go once the window is full.
  void add(selfplay::GameRecord game);

  std::int64_t games() const { return static_cast<std::int64_t>(games_.size()); }
  // Positions whose policy is a target: in the window, and ever added.
  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t total() const { return total_; }
  // Counts the positions that were let go before a run was resumed, too.
  void set_total(std::int64_t total) { total_ = total; }
  // Positions the window may hold now: all up to window_min, then growing as a power of the total.
  std::int64_t capacity() const;

  // `rows` positions drawn uniformly from those, each mirrored left–right with probability 1/2
  // where the game allows it. What tactics find in them is looked for anew. REQUIRES: size() > 0.
  void sample(int rows, base::Rng& rng, TrainingBatch& out) const;

 private:
  struct Row {
    std::int64_t game;  // counted from the first ever added
    int ply;
  };

  LearnerConfig config_;
  nn::Encoder encoder_;
  mcts::SearchConfig search_;
  std::deque<selfplay::GameRecord> games_;
  std::deque<Row> rows_;
  std::int64_t first_game_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace training
