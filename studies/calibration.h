#pragma once
// Whether a network's outcome probabilities are calibrated: reliability and expected calibration
// error, on games that it never saw.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mcts/evaluator.h"
#include "rules/outcome.h"
#include "selfplay/game_record.h"
#include "studies/estimates.h"
#include "studies/game_facts.h"
#include "studies/study.h"

namespace studies {

// Predicted and observed values in [0, 1], sorted by the predicted one into bins of equal width.
class ReliabilityBins {
 public:
  static constexpr int kBins = 10;

  struct Bin {
    double weight = 0;
    double predicted = 0;  // means; 0 where there is nothing
    double observed = 0;

    double difference() const { return predicted - observed; }
  };

  void add(double predicted, double observed, double weight);
  Bin bin(int i) const { return mean(sums_[static_cast<std::size_t>(i)]); }
  Bin all() const { return mean(total_); }
  // Expected calibration error (Naeini and others 2015): the mean distance between predicted and
  // observed, over the bins by their weight. 0 to 1; 0 where there is nothing.
  double error() const;

 private:
  static Bin mean(const Bin& sums);

  std::array<Bin, kBins> sums_{};
  Bin total_;
};

// Bins of the probabilities of each outcome apart.
using OutcomeBins = std::array<ReliabilityBins, rules::kOutcomes>;
// One position: probabilities in rules::Outcome order, and how its game ended. It counts `weight`
// times.
void add_outcome(const std::array<float, rules::kOutcomes>& predicted, rules::Outcome actual,
                 double weight, OutcomeBins& bins);

// An expected calibration error; of points in points.
struct CalibrationError {
  double error = 0;
  // Its mean where the probabilities are right: above 0, the more the fewer the games. (Each
  // position's outcome is drawn by its own probabilities, with one random number for each game,
  // the same one for games that are alike: they cannot end differently.)
  double by_chance = 0;
  // The error less that by chance. An error's resamples lie above it as it lies above the truth:
  // here they are centred on its mean, so that the interval holds 0 where the probabilities are
  // right.
  Estimate excess;
};

// Counted over all positions that a search would ask about, or the quiet ones of them, under the
// games' own tables. The intervals are those of a bootstrap over games, because all positions of a
// game have one outcome.
struct CalibrationFigures {
  bool quiet_alone = false;
  std::size_t positions = 0, games = 0;
  Variety variety;  // after the last of kDepths
  struct OfOutcome {
    CalibrationError error;
    double share = 0;
    std::vector<ReliabilityBins::Bin> bins;  // those that are not empty
  };
  std::array<OfOutcome, rules::kOutcomes> outcomes;
  // White's points of ten, apart for games under their rule set's own table ("standard") and under
  // "changed" ones, where there are such.
  struct OfPoints {
    const char* tables = "";
    std::ptrdiff_t positions = 0, games = 0;
    double predicted = 0, scored = 0;  // means
    Estimate difference;               // predicted less scored
    CalibrationError error;            // over ten bins
  };
  std::vector<OfPoints> points;
  // The same difference, of all games, within a range of plies and for one side to move: what is
  // too much for one may hide in the mean what is too little for the other.
  struct OfPlies {
    int from = 0;
    std::optional<int> to;  // the last ply; none: the game's end
    rules::Color turn = rules::Color::kWhite;
    std::ptrdiff_t positions = 0;
    Estimate difference;  // White's points predicted less scored
  };
  std::vector<OfPlies> plies;  // those with positions, in order
};
CalibrationFigures calibration_figures(std::span<const selfplay::GameRecord> games,
                                       mcts::Evaluator& evaluator, bool quiet_alone = false);

struct CalibrationStudy final : Study {
  CalibrationStudy();
  std::vector<base::CommandOption> options() override;
  Answer run(Subject& subject) const override;

  int simulations = 0;  // the network's usual number
  std::string table = "default";
  std::string played;     // folder of games to take instead of new ones
  std::string tablebase;  // a folder of endings that are compared too; empty: none

 private:
  void add_ending_errors(Subject& subject, Answer& answer) const;
};
// `config`: of the games, where they were played for the study.
Answer words(const CalibrationStudy& study, const std::string& network,
             const CalibrationFigures& figures, const SelfGamesConfig* config);

}  // namespace studies
