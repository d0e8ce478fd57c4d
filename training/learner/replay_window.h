#pragma once
// The recent games that a network learns from, and how their positions become training rows.

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/rng.h"
#include "mcts/search_config.h"
#include "nn/encoder.h"
#include "nn/network_config.h"
#include "selfplay/game_record.h"
#include "training/learner/game_window.h"
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

// Owned by one thread; sample() is const and may run on several.
class ReplayWindow final : public GameWindow {
 public:
  // `search`: self-play's, for the depth of the tactics that rows show.
  explicit ReplayWindow(const LearnerConfig& config, const nn::Encoder& encoder = {},
                        const mcts::SearchConfig& search = {})
      : GameWindow(config), encoder_(encoder), search_(search) {}

  // Learns from the positions with a policy target, and drops games whole.
  void add(selfplay::GameRecord game) override;
  std::int64_t targets(const selfplay::GameRecord& game) const override;
  std::int64_t games() const override { return static_cast<std::int64_t>(games_.size()); }
  std::int64_t size() const override { return static_cast<std::int64_t>(rows_.size()); }
  // As much again as it holds: then it drops the same games as it did before.
  std::int64_t memory() const override { return 2 * std::int64_t{config_.window_max}; }

  // Draws `rows` of those positions uniformly, each mirrored left–right with probability 1/2 where
  // the game allows it. A position's tactics are searched when it is first drawn at their depth.
  // REQUIRES: size() > 0.
  void sample(int rows, base::Rng& rng, TrainingBatch& out) const;

 private:
  struct Row {
    std::int64_t game;  // counted from the first ever added
    int ply;
    // Its tactics at self-play's depth and the deeper one, packed; 0: not searched yet. Threads
    // that draw it at once write the same.
    mutable std::array<std::uint64_t, 2> findings{};
  };

  nn::Encoder encoder_;
  mcts::SearchConfig search_;
  std::deque<selfplay::GameRecord> games_;
  std::deque<Row> rows_;
  std::int64_t first_game_ = 0;
};

}  // namespace training
