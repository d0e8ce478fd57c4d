#pragma once
// What the engine and play in the terminal evaluate positions with: a network, or none.

#include <functional>
#include <memory>
#include <string>

#include "app/options.h"
#include "mcts/analysis.h"
#include "mcts/evaluator.h"

namespace app {

struct EngineOptions {
  int threads = 1;
  int hash_mib = 1024;
  double move_overhead_ms = 20;
};

// Makes engines; all give the same answers.
using MakeEngine = std::function<std::unique_ptr<mcts::Engine>(const EngineOptions&)>;

struct Backend {
  MakeEngine make_engine;
  std::string note;  // said once: where it comes from
};

// By tree search. `batch`: leaves that a thread evaluates together.
inline MakeEngine tree_engine(mcts::Analysis::EvaluatorFactory make_evaluator, int batch) {
  return [=](const EngineOptions& asked) {
    mcts::AnalysisOptions options;
    options.search.max_tree_mib = asked.hash_mib;
    options.threads = asked.threads;
    options.batch = batch;
    options.move_overhead_ms = asked.move_overhead_ms;
    return std::make_unique<mcts::Analysis>(options, make_evaluator);
  };
}

// The backend without a network: search alone.
inline Backend no_network() {
  return {tree_engine([] { return std::make_unique<mcts::MaterialEvaluator>(); }, 1),
          "no network: playing by search alone"};
}

// `net` as of --net; empty: the default. Throws where it cannot be had, with one line.
using LoadBackend = std::function<Backend(const std::string& net)>;

// Loads networks and NNUEs for the device and the rule set of the options. The empty name takes the
// newest network of the newest run in runs/, else the one that comes with the program, else none:
// search alone. Linked into sharpzero-net only.
LoadBackend backend_loader(const CommonOptions& options);

}  // namespace app
