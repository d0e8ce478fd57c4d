#pragma once
// Ratings of a run's checkpoints, the baselines and any other players on one scale.

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
  // Its budget for a move; neither where it has none.
  std::optional<int> simulations{};
  std::optional<int> time_ms{};
};

struct LadderSettings {
  std::filesystem::path run;          // whose checkpoints are rated; empty: none
  mcts::SearchConfig search;          // the checkpoints'
  std::vector<LadderPlayer> players;  // rated too
  rules::RuleSet rules;               // one of the run's, where there is a run
  rules::ScoringTable table;          // of the encounters
  std::string device = "cpu";
  int threads = 1;
  std::uint64_t seed = 1;
  int checkpoints = 6;   // the most that are rated: the first, the newest, others spread evenly
  int games = 40;        // in each encounter, in pairs
  int simulations = 32;  // of a network, a move
};

// Told the encounters played, their number in all and the one that begins, by one thread at a time.
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
