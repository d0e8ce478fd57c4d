#pragma once
// What the engine and play in the terminal search with: a network, or search alone.

#include <functional>
#include <memory>
#include <string>

#include "app/options.h"
#include "mcts/analysis.h"
#include "mcts/evaluator.h"

namespace app {

// What a search evaluates with.
struct Brain {
  mcts::Analysis::EvaluatorFactory make_evaluator;
  int batch = 1;     // leaves that a thread evaluates together
  std::string note;  // said once: where it comes from
};

// The brain of a program without a network: search alone.
inline Brain no_network() {
  return {[] { return std::make_unique<mcts::MaterialEvaluator>(); }, 1,
          "no network: playing by search alone"};
}

// `net` as of --net; empty: the default. Throws where it cannot be had, with one line.
using LoadBrain = std::function<Brain(const std::string& net)>;

// Loads networks for the device and the rule set of the options. The empty name takes the newest
// network of the newest run in runs/, else the one that comes with the program, else none: search
// alone. Linked into sharpzero-net only.
LoadBrain brain_loader(const CommonOptions& options);

}  // namespace app
