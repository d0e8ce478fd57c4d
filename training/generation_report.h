#pragma once
// What a generation was like, as a record for metrics.jsonl and as lines for a human.

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

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
  double plies = 0, points_white = 0;
  std::array<double, rules::kOutcomes> outcomes{};

  void add(const selfplay::GameRecord& game);
  double mean(double sum) const { return games > 0 ? sum / static_cast<double>(games) : 0; }
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

// All but the matches. `counters`: behind the generation; `elapsed_s`: as RunCounters counts it.
nlohmann::ordered_json record_of(const GenerationReport& report, const RunCounters& counters,
                                 double elapsed_s);
void add_matches(const Comparisons& comparisons, nlohmann::ordered_json& record);

// Log the same.
void tell_games(const GenerationReport& report, std::int64_t generation, double elapsed_s,
                double minutes_left);
void tell_matches(const Comparisons& comparisons, int simulations);

}  // namespace training
