#pragma once
// What other scoring tables would do: the same games at other prices, the network's opinion, and
// games played under them.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "studies/estimates.h"
#include "studies/game_facts.h"

namespace studies {

// The table `standard` with `key` (of ScoringTable::from_changes) set. Throws rules::RulesError.
rules::ScoringTable table_with(const std::string& key, double value,
                               const rules::ScoringTable& standard);

// The least and the greatest value of the key that a fair one is looked for between: nothing may
// pay more than a win.
std::pair<double, double> fair_range(const std::string& key, const rules::ScoringTable& standard);

// White's mean points under the table, and how much more that is than under the other: the same
// games, so that most of their scatter falls out.
struct Repriced {
  arena::Estimate points_white;
  arena::Estimate difference;
};
Repriced reprice(std::span<const GameFacts> games, const rules::ScoringTable& table,
                 const rules::ScoringTable& before);

// The value of `key`, all else as in `standard`, at which these games, re-priced, pay White 5 of
// ten, with the bootstrap's interval (over games); empty where no value in fair_range() does. A
// resample without one counts as the end of the range that is nearer to fair.
std::optional<arena::Estimate> fair_value(std::span<const GameFacts> games, const std::string& key,
                                          const rules::ScoringTable& standard, int rounds,
                                          base::Rng rng);

// Play changes when prices change, so a fair value is looked for in rounds: games are played under
// a value, and where their interval leaves out 5, the value that would have made those games fair
// is tried next. Values are rounded to 0.001.
struct FairRound {
  double value = 0;  // of the key, that the games were played under
  arena::Estimate points_white;
};
struct FairResult {
  std::optional<double> by_network;         // where its own value of the start is 5
  std::optional<arena::Estimate> repriced;  // by the games played under the default table
  std::vector<FairRound> rounds;
  std::optional<arena::Estimate> played;  // by the last round's games; the answer
  bool confirmed = false;                 // the last round's interval holds 5
  bool stopped = false;
};
struct FairQuestion {
  std::string key;
  rules::ScoringTable standard;  // the default table, of which the key is changed
  std::function<double(const rules::ScoringTable&)> network;  // White's points at the start
  // Games under a table; empty where it was stopped.
  std::function<std::vector<GameFacts>(const rules::ScoringTable&)> play;
  int most_rounds = 3;
  int bootstraps = 1000;
};
// Begins with the network's value, without one with the re-priced games'; without either there is
// nothing to play.
FairResult find_fair(const FairQuestion& question, std::span<const GameFacts> default_games,
                     base::Rng rng);
// {key, network, repriced, rounds: [{value, points_white}], played, confirmed}.
nlohmann::ordered_json to_json(const FairResult& result, const std::string& key);

// What `scoring` wrote, as text for a terminal.
std::string scoring_text(const nlohmann::ordered_json& scoring);

}  // namespace studies
