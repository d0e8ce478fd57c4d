#pragma once
// The matches that measure a run's newest network.

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/match.h"
#include "training/run/run_loop.h"
#include "training/run/run_state.h"
#include "training/settings/run_config.h"
#include "training/student/student.h"

namespace training {

// Results by their keys in metrics.jsonl.
using Comparisons = std::vector<std::pair<std::string, arena::MatchResult>>;

struct MatchSetup {
  const RunConfig& config;
  const RunOptions& options;
  const RunCounters& counters;
  Student& student;
};

// A run's last matches.
struct FinalMatches {
  int games = 0;       // of each
  double seconds = 0;  // that all are expected to take
};

// Plans evaluation.final_games, or as many as take evaluation.final_share of run.max_minutes at the
// speed of the generation that the record is of; but at least ten pairs of each.
FinalMatches plan_final_matches(const RunConfig& config, const nlohmann::ordered_json& record);

// How many seconds the matches still take of which a part is done, `spent_s` after they began and
// `expected_s` in all before. What was expected counts like a tenth of them: the first game to end
// says little, for it is a short one of many that are played at once.
double matches_left_s(double done, double spent_s, double expected_s);

// Plays the newest network against two players without a network, the run's start and the network
// compared last, all with self-play's search; the run's last matches (`last`) are
// only against the first of these and the start where `evaluation.every` is 0. A checkpoint that
// cannot be read is logged and left out. Returns none where `games` is 0 or the run was stopped
// meanwhile. `progress` (may be empty) is told the fraction of all the games that is over.
std::optional<Comparisons> play_matches(const MatchSetup& setup, int games, bool last,
                                        const std::function<void(double done)>& progress = {});

}  // namespace training
