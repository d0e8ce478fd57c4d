#pragma once
// Trains an NNUE from games that its own alpha-beta search plays: from the rules alone, on a
// processor.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "rules/rule_set.h"
#include "selfplay/selfplay_config.h"
#include "training/settings/nnue_config.h"

namespace training {

struct NnueRunOptions {
  std::filesystem::path folder;  // made where it is missing; a run that is there goes on
  rules::RuleSet rules;
  selfplay::SelfPlayConfig openings;
  std::uint64_t seed = 1;
  int threads = 1;
  double max_seconds = 0;  // 0 = until stopped
  int generations = 0;     // 0 = no limit
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string&)> progress;  // a line each generation
};

// Plays and learns until time or generations are over: then the rate is annealed once more, which
// counts as a generation; a stop ends it without. Writes games.db, metrics.jsonl and, after each
// generation, nnue.safetensors; that of generation 1, 2, 4, 8 and so on stays as a checkpoint,
// checkpoints/000001 …: how strength grows with time. The first two generations are played by
// material.
// With a limit of generations the weights depend on config and seed alone. Throws base::InputError
// and base::EnvironmentError.
void run_nnue(const NnueRunConfig& config, const NnueRunOptions& options);

}  // namespace training
