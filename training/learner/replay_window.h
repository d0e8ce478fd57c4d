#pragma once
// The recent games that a network learns from, and how their positions become training rows.

#include <cstdint>
#include <deque>
#include <vector>

#include "base/rng.h"
#include "mcts/search_config.h"
#include "nn/encoder.h"
#include "nn/network_config.h"
#include "selfplay/game_record.h"
#include "training/settings/learner_config.h"

namespace training {

inline constexpr int kAuxiliaryTargets = nn::kAuxiliary;

// The moves of each row and their policy targets.
struct PolicyRows {
  int width = 0;                      // columns: the most moves of any row, at least 1
  std::vector<std::int64_t> indices;  // [rows, width], 0 where the mask is 0
  std::vector<float> mask;            // [rows, width], 1 for a move, 0 for padding
  std::vector<float> targets;         // [rows, width], sum 1 a row, 0 for a row without moves
};

// Rows ready for the network, all seen by the side to move.
struct TrainingBatch {
  int rows = 0;
  nn::Shape shape;                             // of the positions
  std::vector<nn::EncodedPosition> positions;  // [rows]
  PolicyRows policy;
  std::vector<float> outcomes;    // [rows, 7], side to move loses … wins, sum 1
  std::vector<float> moves_left;  // [rows], plies
  std::vector<float> auxiliary;   // [rows, kAuxiliaryTargets], see nn/network_config.h
};

// Whether the game is a validation game, which is not learned from. It depends only on the game's
// seed and LearnerConfig::hold_out, so that later readers of a store agree. But a run whose
// hold_out was changed has learned from some of the new validation games.
bool held_out(const selfplay::GameRecord& game, const LearnerConfig& config);

// Owned by one thread; sample() is const and may run on several.
class ReplayWindow {
 public:
  // `search`: self-play's, for the depth of the tactics that rows show.
  explicit ReplayWindow(const LearnerConfig& config, const nn::Encoder& encoder = {},
                        const mcts::SearchConfig& search = {})
      : config_(config), encoder_(encoder), search_(search) {}

  // Adds finished games in order, and drops the oldest once the window is full.
  void add(selfplay::GameRecord game);

  std::int64_t games() const { return static_cast<std::int64_t>(games_.size()); }
  // Positions with a policy target: in the window, and all ever added.
  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t total() const { return total_; }
  // Sets total(), which also counts positions that were dropped before a run was resumed.
  void set_total(std::int64_t total) { total_ = total; }
  // Positions that the window may hold now: all up to window_min, then a power of the total.
  std::int64_t capacity() const;

  // Draws `rows` of those positions uniformly, each mirrored left–right with probability 1/2 where
  // the game allows it. Their tactics are searched again. REQUIRES: size() > 0.
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
