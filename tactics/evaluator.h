#pragma once
// What AlphaBetaSearch takes positions to be worth: by an NNUE or, where nothing is learned, by
// material.

#include <array>
#include <memory>
#include <optional>

#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/material.h"
#include "tactics/nnue.h"

namespace tactics {

// One thread's evaluation of the positions on a line, the root first.
class Evaluator {
 public:
  // By the network with these weights; by material where there are none.
  explicit Evaluator(std::shared_ptr<const NnueWeights> weights = nullptr) {
    if (weights) nnue_.emplace(std::move(weights));
  }

  // What the outcomes pay from now on.
  void set_table(const rules::ScoringTable& table) {
    nnue_ ? nnue_->set_table(table) : material_.set_table(table);
  }
  void start(const rules::Position& root) {
    if (nnue_) nnue_->start(root);
  }
  // REQUIRES: as Nnue::push().
  void push(const rules::Position& next) {
    if (nnue_) nnue_->push(next);
  }
  void pop() {
    if (nnue_) nnue_->pop();
  }

  // For the side to move, in [-1, 1]. REQUIRES: `position` is the line's last.
  double value_stm(const rules::Position& position) {
    return nnue_ ? static_cast<double>(nnue_->value_stm()) : material_.value_stm(position);
  }
  // The probabilities of the outcomes, from loses to wins of the side to move; material says only
  // who wins. REQUIRES: as value_stm().
  rules::Outcomes outcomes(const rules::Position& position) {
    if (nnue_) return nnue_->outcomes();
    const auto wins = static_cast<float>((1 + material_.value_stm(position)) / 2);
    return {1 - wins, 0, 0, 0, 0, 0, wins};
  }

 private:
  std::optional<Nnue> nnue_;
  Material material_;
};

}  // namespace tactics
