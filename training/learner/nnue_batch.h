#pragma once
// Rows for the NNUE's learner. Reused: clear() keeps the memory.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/nnue.h"

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
  std::array<NnueView, 2> views;  // of the side to move, then of the other side
  std::vector<float> tables;      // [rows, kTable], tactics::nnue_table of the side to move
  std::vector<float> outcomes;    // [rows, 7], side to move loses … wins, sum 1

  void clear();
  // `table` and `target` as the side to move sees them.
  void add(const rules::Position& position, const NnueTable& table, const OutcomeTarget& target);
};

}  // namespace training
