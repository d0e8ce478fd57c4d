#pragma once
// What a generation was like, as a record for metrics.jsonl and as lines for a human.

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "arena/statistics.h"
#include "rules/outcome.h"
#include "selfplay/game_record.h"
#include "selfplay/worker.h"
#include "training/learner.h"
#include "training/run_matches.h"
#include "training/run_state.h"

namespace training {

// What the run's own games of one generation were like.
struct GameSummary {
  std::int64_t games = 0;
  double plies = 0;         // sum
  double points_white = 0;  // sum of what the games' outcomes pay under the run's table
  std::array<double, rules::kOutcomes> outcomes{};
  // Of those under the run's table: White's shares of the ten points, and their squares.
  std::int64_t run_table_games = 0;
  double run_table_shares = 0, run_table_squares = 0;

  void add(const selfplay::GameRecord& game, const rules::ScoringTable& run_table);
  // Not a number where there is no game.
  double mean(double sum) const { return sum / static_cast<double>(games); }
  // White's mean points of ten in the games under the run's table, as if they were independent;
  // none of fewer than two.
  std::optional<arena::Estimate> run_table_points_white() const;
};

struct GenerationReport {
  GameSummary summary;           // of the games that it finished
  selfplay::WorkerStats played;  // evaluations: those of the network alone
  double games_seconds = 0;
  LearnerReport learned;
  std::optional<std::pair<Learner::Fit, Learner::Fit>> fit;  // in the window, held out
  std::int64_t steps = 0;                                    // of the whole run
  std::int64_t window = 0;                                   // positions

  double evals_per_s() const { return static_cast<double>(played.evaluations) / games_seconds; }
  double games_per_h() const { return 3600 * static_cast<double>(played.games) / games_seconds; }
};

// All but the matches; what was not measured is null (no game was finished, no step taken) or,
// where not every run measures it, left out. `counters`: behind the generation; `elapsed_s`: as
// RunCounters counts it.
nlohmann::ordered_json record_of(const GenerationReport& report, const RunCounters& counters,
                                 double elapsed_s);
void add_matches(const Comparisons& comparisons, nlohmann::ordered_json& record);

// Log the same.
void tell_games(const GenerationReport& report, std::int64_t generation, double elapsed_s,
                double minutes_left);
void tell_matches(const Comparisons& comparisons, int simulations);

}  // namespace training
