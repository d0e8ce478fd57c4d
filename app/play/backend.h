#pragma once
// What the engine and play in the terminal evaluate positions with: a network, or none.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/common_options.h"
#include "engine/tree_engine.h"
#include "mcts/evaluator.h"

namespace app {

struct ListedNetwork;

using engine::EngineOptions;

// Makes engines; all give the same answers.
using MakeEngine = std::function<std::unique_ptr<engine::Engine>(const EngineOptions&)>;

// How well an engine plays: the most that it counts before a move, and how freely it then draws one
// by visits^(1 / temperature); 0: always the best.
struct PlayLevel {
  int budget;
  double temperature;
  int elo = 0;  // on the scale of kEloScale; 0: not rated
};

struct PlayLevels {
  std::array<PlayLevel, 6> all;
  int hint;          // the budget of a hint, at least
  const char* unit;  // of the budgets
};

inline constexpr PlayLevels kTreeLevels{
    {{{8, 1.0}, {32, 0.7}, {100, 0.4}, {400, 0}, {1600, 0}, {6400, 0}}}, 800, "simulations"};
inline constexpr PlayLevels kAlphaBetaLevels{{{{100, 1.0, 510},
                                               {300, 0.7, 650},
                                               {1000, 0.4, 770},
                                               {5000, 0, 990},
                                               {40000, 0, 1210},
                                               {400000, 0, 1480}}},
                                             300000,
                                             "nodes"};

// What the ratings of the levels mean (docs/experiments/levels.md).
inline constexpr const char* kEloScale =
    "random moves are 0, Fairy-Stockfish 11.1 at 100 ms a move 1290";

struct Backend {
  MakeEngine make_engine;
  std::string note;  // said once: where it comes from
  PlayLevels levels = kTreeLevels;
};

// Whether its engines count the visits of a move.
inline bool counts_visits(const Backend& backend) {
  return backend.levels.unit == std::string_view(kTreeLevels.unit);
}

// One line where the engine takes less memory than it was asked to; else empty.
inline std::string memory_note(const engine::Engine& engine, const EngineOptions& asked) {
  if (engine.hash_mib() >= asked.hash_mib) return "";
  return "Hash " + std::to_string(asked.hash_mib) + " MiB: there is memory for " +
         std::to_string(engine.hash_mib()) + " MiB, which it takes";
}

// By tree search. `batch`: leaves that a thread evaluates together.
inline MakeEngine tree_engine(engine::TreeEngine::EvaluatorFactory make_evaluator, int batch) {
  return [=](const EngineOptions& asked) {
    return std::make_unique<engine::TreeEngine>(asked, make_evaluator, batch);
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
// first of `defaults` that plays the rule set, and names the others in its note; where there is
// none it searches alone. A residual network needs sharpzero-net (CommonOptions::need_net()); where
// that cannot be, it plays in fp32.
LoadBackend backend_loader(const CommonOptions& options, std::vector<ListedNetwork> defaults);

// The same for a session in which several rule sets are asked for: those that `net` does not play
// are searched alone. Throws for the rule set of the options, as backend_loader()'s does.
Backend load_for_rules(const CommonOptions& options, rules::RuleSet rules, const std::string& net,
                       std::vector<ListedNetwork> defaults);

}  // namespace app
