#pragma once
// The recent positions an NNUE learns from.

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/rng.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/nnue.h"
#include "training/learner/game_window.h"

namespace training {

using NnueTable = std::array<float, tactics::NnueShape::kTable>;
using OutcomeTarget = std::array<float, rules::kOutcomes>;

// What one side sees: row i's active features are features[begins[i]] to features[begins[i + 1]].
struct NnueView {
  std::vector<std::uint16_t> features;
  std::vector<std::uint32_t> begins{0};  // rows + 1 of them

  std::span<const std::uint16_t> row(std::size_t i) const {
    return {features.data() + begins[i], features.data() + begins[i + 1]};
  }
};

struct NnueBatch {
  int rows = 0;
  // How many rows each stack of layers has: those of the first come first.
  std::array<int, tactics::NnueShape::kStacks> stacks{};
  std::array<NnueView, 2> views;  // of the side to move, then of the other side
  std::vector<float> tables;      // [rows, kTable], tactics::nnue_table of the side to move
  std::vector<float> outcomes;    // [rows, 7], side to move loses … wins, sum 1

  void clear();
  // `table` and `target` as the side to move sees them. REQUIRES: nnue_stack(position) is not below
  // that of the row before.
  void add(const rules::Position& position, const NnueTable& table, const OutcomeTarget& target);
};

// sample() is const and may run on several threads. A position takes 107 bytes.
class NnueWindow final : public GameWindow {
 public:
  using GameWindow::GameWindow;

  // Learns from the quiet positions: all but those whose side to move is in check, can take a king,
  // or takes or promotes with the move played. Throws RulesError where the start is not of the
  // game's rules; the moves are taken to be legal, as those of stored games are.
  void add(selfplay::GameRecord game) override;
  std::int64_t targets(const selfplay::GameRecord& game) const override;
  std::int64_t games() const override { return static_cast<std::int64_t>(tables_.size()); }
  std::int64_t size() const override { return static_cast<std::int64_t>(rows_.size()); }

  // Fills `out` with `rows` positions drawn uniformly with repeats, by stack; those without a king,
  // which nnue_eye() does not mirror, are mirrored left–right with probability 1/2 where the game
  // allows it. REQUIRES: size() > 0.
  void sample(int rows, base::Rng& rng, NnueBatch& out) const;

 private:
  struct Row {
    rules::Position position;
    OutcomeTarget target;  // of the side to move
    std::uint32_t game;    // counted from the first ever added, modulo 2^32
  };
  using Tables = std::array<NnueTable, 2>;  // by colour of the side to move

  std::deque<Row> rows_;
  std::deque<Tables> tables_;  // of the rows' games
  std::uint32_t first_game_ = 0;
};

}  // namespace training
