#pragma once
// What an alpha-beta search goes by before anything is learned: material, on the board and in hand.

#include <array>
#include <cmath>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/piece_values.h"

namespace tactics {

// An evaluator of AlphaBetaSearch without a network: the side that has more is the likelier winner.
class MaterialGuess {
 public:
  void set_table(const rules::ScoringTable& table) {
    table_ = table;
    army_ = army_value(table);
  }
  void start(const rules::Position& root) { line_.assign(1, root); }
  void push(const rules::Position& next) { line_.push_back(next); }
  void pop() { line_.pop_back(); }

  float value_stm() const {
    const rules::Position& position = line_.back();
    double lead = position.material_balance_white(table_);
    for (const rules::PieceType type : rules::kMaterialTypes) {
      const int more = position.reserve(rules::Color::kWhite, type) -
                       position.reserve(rules::Color::kBlack, type);
      lead += more * table_.material[static_cast<std::size_t>(index(type))];
    }
    if (position.side_to_move() == rules::Color::kBlack) lead = -lead;
    return army_ > 0 ? static_cast<float>(std::tanh(lead / army_ * kSteepness)) : 0;
  }
  // The value as wins and losses.
  std::array<float, rules::kOutcomes> outcomes() const {
    const float value = value_stm();
    return {(1 - value) / 2, 0, 0, 0, 0, 0, (1 + value) / 2};
  }

 private:
  static constexpr double kSteepness = 6.5;  // a sixth of an army ahead is worth tanh(1)

  rules::ScoringTable table_;
  double army_ = 0;
  std::vector<rules::Position> line_;
};

}  // namespace tactics
