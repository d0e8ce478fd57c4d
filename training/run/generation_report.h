#pragma once
// What a generation measured, as a record for metrics.jsonl and as lines of the log.

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "arena/statistics.h"
#include "rules/outcome.h"
#include "selfplay/game_record.h"
#include "selfplay/worker.h"
#include "training/learner/game_window.h"
#include "training/learner/learner.h"
#include "training/run/run_matches.h"
#include "training/run/run_state.h"

namespace training {

// Sums over the run's own games of one generation.
struct GameSummary {
  std::int64_t games = 0;
  double plies = 0;         // sum
  double points_white = 0;  // sum of what the games' outcomes pay under the run's table
  std::array<double, rules::kOutcomes> outcomes{};
  arena::PairStatistics run_table_scores;  // White's, in the games under the run's table

  void add(const selfplay::GameRecord& game, const rules::ScoringTable& run_table);
  // NaN where there is no game.
  double mean(double sum) const { return sum / static_cast<double>(games); }
  // White's mean points of ten in the games under the run's table, taken as independent; none where
  // there are fewer than two.
  std::optional<arena::Estimate> run_table_points_white() const;
};

// The losses of a network on positions that it has learned from and on those of validation games;
// none where there are too few of the latter.
using Fits = std::optional<std::pair<Learner::Fit, Learner::Fit>>;

struct GenerationReport {
  GameSummary summary;           // of the games that it finished
  selfplay::WorkerStats played;  // evaluations: those of the network alone
  double games_seconds = 0;
  LearnerReport learned;
  // Before and after learning; the windows are the same.
  Fits fit_before, fit;
  std::int64_t steps = 0;   // of the whole run
  std::int64_t window = 0;  // positions

  double evals_per_s() const { return static_cast<double>(played.evaluations) / games_seconds; }
  double games_per_h() const { return 3600 * static_cast<double>(played.games) / games_seconds; }
};

// Returns the record without the matches. What was not measured is null (no game was finished, no
// step taken) or, where not every run measures it, left out. `counters`: after the generation;
// `elapsed_s`: as in RunCounters.
nlohmann::ordered_json record_of(const GenerationReport& report, const RunCounters& counters,
                                 double elapsed_s);
void add_matches(const Comparisons& comparisons, nlohmann::ordered_json& record);

// Log the same.
void tell_games(const GenerationReport& report, std::int64_t generation, double elapsed_s,
                const std::string& time_left);
void tell_matches(const Comparisons& comparisons, int simulations);

// Measures a network on rows of the window, or of the validation games.
using MeasureFit = std::function<Learner::Fit(bool validation, int rows)>;

Fits measured_fits(const GameWindow& window, const GameWindow& validation,
                   const MeasureFit& measure);

// Warns where the two lie far apart, once the window holds `full` positions or nearly so.
void tell_overfitting(const Fits& fits, const GameWindow& window, std::int64_t full);

// Policy and outcome together; of an NNUE, which has no policy, the outcome alone.
double total_loss(const Learner::Fit& fit);

}  // namespace training
