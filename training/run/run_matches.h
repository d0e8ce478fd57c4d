#pragma once
// The matches that measure a run's newest network.

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

// Plays the newest network against two players without a network, the run's start and the network
// compared last, all with self-play's search; the run's last matches (`last`) are
// only against the first of these and the start where `evaluation.every` is 0. A checkpoint that
// cannot be read is logged and left out. Returns none where `games` is 0 or the run was stopped
// meanwhile.
std::optional<Comparisons> play_matches(const MatchSetup& setup, int games, bool last);

}  // namespace training
