#pragma once
// Players on one scale: a run's checkpoints, the baselines, any others.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "arena/ratings.h"
#include "mcts/search_config.h"
#include "rules/outcome.h"
#include "rules/rule_set.h"

namespace arena {

struct LadderPlayer {
  std::string name;
  PlayerFactory player;
  // What it is given for a move; neither where it has no such budget.
  std::optional<int> simulations{};
  std::optional<int> time_ms{};
};

struct LadderSettings {
  std::filesystem::path run;          // whose checkpoints are rated; empty: none
  mcts::SearchConfig search;          // the checkpoints'
  std::vector<LadderPlayer> players;  // that are rated besides
  rules::RuleSet rules;               // one of the run's, where there is a run
  rules::ScoringTable table;          // that the encounters are priced by
  std::string device = "cpu";
  int threads = 1;
  std::uint64_t seed = 1;
  int checkpoints = 6;   // at most so many, spread evenly, the first and the newest among them
  int games = 40;        // of each encounter, in pairs
  int simulations = 32;  // a network's, a move
};

// Says how far the ladder is: encounters played, of how many, and the one that begins. Called by
// one thread at a time.
using LadderProgress = std::function<void(int played, int of, const std::string& next)>;

// Plays each checkpoint against the next two and against the baselines (random, greedy,
// alphabeta:2, search that knows nothing), and each further player against all, as many encounters
// side by side as there are threads; the result does not depend on their number. Fits ratings with
// random at 0 and writes the answer as the run's ratings.json, where there is a run. Empty, and
// nothing written, where `stop` was set on the way. Throws base::InputError where the run has
// no checkpoints, and what its files and matches throw.
std::vector<Rating> rate(const LadderSettings& settings, const LadderProgress& progress,
                         const std::atomic<bool>& stop);

// The array of to_json(ratings), each rating with what the ladder was played by: table and seed.
nlohmann::json to_json(const std::vector<Rating>& ratings, const LadderSettings& settings);

}  // namespace arena
