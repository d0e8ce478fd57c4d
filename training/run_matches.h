#pragma once
// The matches by which a run sees what its newest network has become.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/match.h"
#include "nn/checkpoint.h"
#include "nn/precision.h"
#include "training/run_config.h"
#include "training/run_loop.h"
#include "training/run_state.h"

namespace training {

// By the key that they have in metrics.jsonl.
using Comparisons = std::vector<std::pair<std::string, arena::MatchResult>>;

struct MatchSetup {
  const RunConfig& config;
  const RunOptions& options;
  const RunCounters& counters;
  const nn::NetworkFile& newest;
  nn::Precision precision;  // the run's, in which networks play where they are accurate in it
};

// The newest network against the run's start, all by self-play's search, the one
// compared last, and two players without a network; at the run's end (`last`) fewer where none were
// played on the way. A checkpoint that cannot be read is told, and left out. None where `games` is
// 0 or they were stopped on the way.
std::optional<Comparisons> play_matches(const MatchSetup& setup, int games, bool last);

}  // namespace training
