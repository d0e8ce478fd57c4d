#pragma once
// What the engine and play in the terminal evaluate positions with: a network, or none.

#include <functional>
#include <memory>
#include <string>

#include "app/options.h"
#include "mcts/analysis.h"
#include "mcts/evaluator.h"

namespace app {

struct Backend {
  mcts::Analysis::EvaluatorFactory make_evaluator;
  int batch = 1;     // leaves that a thread evaluates together
  std::string note;  // said once: where it comes from
};

// The backend without a network: search alone.
inline Backend no_network() {
  return {[] { return std::make_unique<mcts::MaterialEvaluator>(); }, 1,
          "no network: playing by search alone"};
}

// `net` as of --net; empty: the default. Throws where it cannot be had, with one line.
using LoadBackend = std::function<Backend(const std::string& net)>;

// Loads networks for the device and the rule set of the options. The empty name takes the newest
// network of the newest run in runs/, else the one that comes with the program, else none: search
// alone. Linked into sharpzero-net only.
LoadBackend backend_loader(const CommonOptions& options);

}  // namespace app
