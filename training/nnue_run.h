#pragma once
// Trains an NNUE from games that its own alpha-beta search plays: from the rules alone, on a
// processor.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rules/rule_set.h"
#include "selfplay/selfplay_config.h"
#include "training/options.h"

namespace training {

struct NnueRunConfig {
  int nodes = 1000;
  int games = 1500;
  float reuse = 6.0f;
  int batch = 2048;
  int window = 8000000;
  float learning_rate = 2e-3f;
  float anneal_epochs = 3.0f;
  int hold_out = 64;
  float search_value_share = 0.7f;
  float search_value_plies = 6.0f;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("nodes", nodes, 1, 100000000, "nodes a move");
    v("games", games, 1, 10000000, "games a generation");
    v("reuse", reuse, 0.01f, 1000.0f,
      "how often a new position is learned from, on average, before the last anneal");
    v("batch", batch, 8, 1048576, "positions a step");
    v("window", window, 1, 100000000, "positions that are learned from: the newest");
    v("learning_rate", learning_rate, 1e-7f, 1.0f,
      "Adam's rate; it falls to zero in the last anneal");
    v("anneal_epochs", anneal_epochs, 0.0f, 1000.0f,
      "how often the last anneal goes through the window");
    v("hold_out", hold_out, 0, 1000000,
      "one game in so many is not learned from but measures overfitting; 0: none");
    v("search_value_share", search_value_share, 0.0f, 1.0f,
      "fraction of the searches' outcomes in the target; the rest is the game's end");
    v("search_value_plies", search_value_plies, 0.0f, 1000.0f,
      "mean distance of the later searches that are averaged");
  }
};

// The keys of the config, as [nnue], and those of [selfplay] that say how its games begin and under
// which tables they are played. Both must outlive the options.
std::vector<Option> nnue_options(NnueRunConfig& config, selfplay::SelfPlayConfig& openings);

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
// checkpoints/000001 …: how strength grows with time. The first generation is played by material.
// With a limit of generations the weights depend on config and seed alone. Throws base::InputError
// and base::EnvironmentError.
void run_nnue(const NnueRunConfig& config, const NnueRunOptions& options);

}  // namespace training
