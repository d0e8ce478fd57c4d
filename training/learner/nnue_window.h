#pragma once
// The recent positions an NNUE learns from.

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/rng.h"
#include "rules/position.h"
#include "selfplay/game_record.h"
#include "training/learner/nnue_batch.h"
#include "training/settings/learner_config.h"

namespace training {

// Owned by one thread; sample() is const and may run on several. A position takes 88 bytes.
class NnueWindow {
 public:
  // `capacity`: positions, of which the oldest go first. The config says how outcome targets are
  // mixed (outcome_target). REQUIRES: 0 < capacity < 2^32.
  NnueWindow(std::int64_t capacity, const LearnerConfig& config);

  // Adds the quiet positions of a finished game: all but those whose side to move is in check, can
  // take a king, or takes or promotes with the move played. Which games are held out is the
  // caller's to know. Throws RulesError where the start is not of the game's rules; the moves are
  // taken to be legal, as those of stored games are.
  void add(const selfplay::GameRecord& game);

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t total() const { return total_; }  // positions ever added
  std::int64_t capacity() const { return capacity_; }

  // Fills `out` with `rows` positions drawn uniformly with repeats, each mirrored left–right with
  // probability 1/2 where the game allows it. REQUIRES: size() > 0.
  void sample(int rows, base::Rng& rng, NnueBatch& out) const;

 private:
  struct Row {
    rules::Position position;
    OutcomeTarget target;  // of the side to move
    std::uint32_t table;   // counted from the first ever added, modulo 2^32
  };
  struct Table {
    rules::ScoringTable rules;
    std::array<NnueTable, 2> seen_by;  // by colour of the side to move
  };

  std::uint32_t number_of(const rules::ScoringTable& table);
  void keep(const Row& row);

  std::int64_t capacity_;
  LearnerConfig config_;
  std::vector<Row> rows_;  // a ring once it is full
  std::size_t oldest_ = 0;
  std::deque<Table> tables_;  // those of the rows; neighbours differ
  std::uint32_t first_table_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace training
