#pragma once
// Whether outcomes come as often as a network says: reliability and expected calibration error, on
// games that it never saw.

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "mcts/evaluator.h"
#include "rules/outcome.h"
#include "selfplay/game_record.h"

namespace studies {

// What was said of something in [0, 1] and what came, sorted by what was said into bins of equal
// width.
class ReliabilityBins {
 public:
  static constexpr int kBins = 10;

  struct Bin {
    double weight = 0;
    double predicted = 0;  // means; 0 where there is nothing
    double observed = 0;
  };

  void add(double predicted, double observed, double weight);
  Bin bin(int i) const { return mean(sums_[static_cast<std::size_t>(i)]); }
  Bin all() const { return mean(total_); }
  // Expected calibration error (Naeini and others 2015): the mean distance between what was said
  // and what came, over the bins by their weight. 0 to 1; 0 where there is nothing.
  double error() const;

 private:
  static Bin mean(const Bin& sums);

  std::array<Bin, kBins> sums_{};
  Bin total_;
};

// Probabilities, each outcome apart.
class Calibration {
 public:
  static constexpr int kBins = ReliabilityBins::kBins;
  using Bin = ReliabilityBins::Bin;

  // One position: probabilities in rules::Outcome order, and how its game ended. It counts `weight`
  // times.
  void add(const std::array<float, rules::kOutcomes>& predicted, rules::Outcome actual,
           double weight = 1);
  Bin bin(rules::Outcome outcome, int i) const { return of(outcome).bin(i); }
  double error(rules::Outcome outcome) const { return of(outcome).error(); }

 private:
  const ReliabilityBins& of(rules::Outcome outcome) const {
    return bins_[static_cast<std::size_t>(rules::index(outcome))];
  }
  std::array<ReliabilityBins, rules::kOutcomes> bins_;
};

// {positions, games, outcomes: [{name, error: {mean, low, high}, share, bins: [{weight, predicted,
// observed}]}], points: [{tables, positions, games, predicted, scored, difference: {mean, low,
// high}, error: {mean, low, high}}]} of all positions that a search would ask about, under the
// games' own tables. `points` are White's of ten, apart for games under their rule set's own table
// ("standard") and under changed ones, where there are such: the means, their difference (predicted
// less scored), and the expected calibration error in points over ten bins. The intervals are those
// of a bootstrap over games, whose positions all end alike; an error that is in truth 0 measures
// above 0, the more the fewer the games.
nlohmann::ordered_json calibration_figures(std::span<const selfplay::GameRecord> games,
                                           mcts::Evaluator& evaluator);
// The same as a table.
std::string calibration_text(const nlohmann::ordered_json& figures);

}  // namespace studies
