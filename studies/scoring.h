#pragma once
// What other scoring tables would do: the same games at other prices, the network's opinion, and
// games played under them.

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "studies/estimates.h"
#include "studies/game_facts.h"
#include "studies/self_games.h"
#include "studies/study.h"

namespace studies {

// The table `standard` with `key` (of ScoringTable::from_changes) set. Throws rules::RulesError.
rules::ScoringTable table_with(const std::string& key, double value,
                               const rules::ScoringTable& standard);

// The least and the greatest value of the key that a fair one is looked for between: nothing may
// pay more than a win.
std::pair<double, double> fair_range(const std::string& key, const rules::ScoringTable& standard);

// White's mean points under a table, and how much more that is than under another: of games that
// are the same or begin alike, so that much of their scatter falls out.
struct Repriced {
  arena::Estimate points_white;
  arena::Estimate difference;
  std::size_t changed = 0;        // games that pay otherwise than their twins
  arena::Estimate changed_share;  // the fraction of the games that they are
};
// `twins`: the same games or, where these were played anew under the table, one for each that began
// alike; they are paid under the table `before`.
Repriced compare(std::span<const GameFacts> games, const rules::ScoringTable& table,
                 std::span<const GameFacts> twins, const rules::ScoringTable& before);

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
  std::string key;
  std::pair<double, double> range{};        // that was looked at: fair_range()
  std::optional<double> by_network;         // where its own value of the start is 5
  std::optional<arena::Estimate> repriced;  // by the games played under the default table
  // White's points of these games at the ends of the range.
  std::array<arena::Estimate, 2> at_ends;
  std::vector<FairRound> rounds;
  std::optional<arena::Estimate> played;  // by the last round's games; the answer
  bool confirmed = false;                 // the last round's interval holds 5
};
struct FairQuestion {
  std::string key;
  rules::ScoringTable standard;  // the default table, of which the key is changed
  std::function<double(const rules::ScoringTable&)> network;  // White's points at the start
  // Games under a table.
  std::function<std::vector<GameFacts>(const rules::ScoringTable&)> play;
  int most_rounds = 3;
  int bootstraps = 1000;
};
// Begins with the network's value, without one with the re-priced games'; without either there is
// nothing to play.
FairResult find_fair(const FairQuestion& question, std::span<const GameFacts> default_games,
                     base::Rng rng);

// What is known of one table: by the network, by its search, by the games played under the default
// one, and by games of its own.
struct TableFigures {
  std::string table;
  double network = 0, search = 0;  // values of the start
  Repriced repriced;
  std::optional<Repriced> played;  // against their twins under the default table
};
struct ScoringFigures {
  SelfGamesConfig config;
  std::size_t distinct_games = 0;    // of those under the default table
  Variety variety;                   // of the same, after the last of kDepths
  std::vector<TableFigures> tables;  // the default one first
  std::vector<FairResult> fair;
  struct Sweep {
    std::string key;
    std::vector<double> values;
    std::vector<TableFigures> tables;  // with these values
  };
  std::vector<Sweep> sweeps;
};
Answer words(const ScoringFigures& figures);

struct ScoringStudy final : Study {
  ScoringStudy();
  std::vector<base::CommandOption> options() override;
  Answer run(Subject& subject) const override;

  int simulations = 0;  // the network's usual number
  std::vector<std::string> tables;
  std::vector<std::string> fair;    // keys
  std::vector<std::string> sweeps;  // KEY=a:b:n
  bool play = false;
};

}  // namespace studies
