#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "app/machine.h"
#include "app/paths.h"
#include "app/players.h"
#include "app/progress.h"
#include "app/scoring_table.h"
#include "app/study.h"
#include "base/errors.h"
#include "rules/repertoire.h"
#include "studies/balance.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using studies::AdvantageStudy;

// One row of the table, before it is played.
struct Task {
  arena::MatchConfig match;
  arena::PlayerFactory player;
  std::string name;
  std::optional<int> simulations;  // as BalanceFigures
};

// One for each of so many rule sets.
std::vector<std::string> players_of(const AdvantageStudy& asked, const std::string& net,
                                    std::size_t sets) {
  if (asked.players.empty()) {
    return std::vector(sets, net.empty() ? default_network().string() : net);
  }
  if (asked.players.size() == 1) return std::vector(sets, asked.players.front());
  if (asked.players.size() == sets) return asked.players;
  throw base::InputError(
      fmt::format("advantage: {} times --player for {} of --rules: expected one, or one for each",
                  asked.players.size(), sets));
}

void check(const AdvantageStudy& asked, const StudyOptions& options, const CommonOptions& common,
           const std::vector<std::string>& players, const std::vector<rules::RuleSet>& sets) {
  const auto require = [](bool holds, const std::string& message) {
    if (!holds) throw base::InputError("advantage: " + message);
  };
  require(asked.players.empty() || options.net.empty(), "--net and --player: expected one of them");
  require(asked.checkpoints == 1, "--checkpoints: not with several rule sets or --player");
  require(options.seeds == StudyOptions{}.seeds, "--seeds: not with several rule sets or --player");
  require(options.fen.empty(), "--fen: not with several rule sets or --player");
  require(options.games % 2 == 0,
          fmt::format("--games {}: expected an even number", options.games));
  bool taken = asked.simulations.empty();
  for (std::size_t i = 0; i < players.size(); ++i) {
    const auto budget = budget_in(players[i], common, sets[i]);
    taken = taken || (budget && !budget->given());
    require(asked.simulations.size() <= 1 || !budget || !budget->given(),
            "several --sims, and player '" + players[i] +
                "' sets sims or movetime: expected one of them");
  }
  require(taken, "--sims: none of the players takes it");
}

// Throws where a player does not play its rule set, so that nothing is played in vain.
std::vector<Task> plan(const AdvantageStudy& asked, const StudyOptions& options,
                       const CommonOptions& common) {
  const std::vector<rules::RuleSet> sets =
      rules::Repertoire::parse(common.rules.value_or("chess_sharp")).sets();
  const std::vector<std::string> players = players_of(asked, options.net, sets.size());
  check(asked, options, common, players, sets);
  arena::MatchConfig match;
  match.games = options.games;
  match.threads = threads(common);
  match.seed = common.seed.value_or(1);
  match.opening_plies = options.opening_plies;
  match.keep_games = true;
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::string& name = players[i];
    match.rules = sets[i];
    match.table = scoring_table(asked.table, sets[i]);
    warn_of_one_opening(match);
    const auto budget = budget_in(name, common, sets[i]);
    const bool takes_sims = budget && !budget->given();
    auto all_sims = takes_sims ? asked.simulations : std::vector{0};
    if (all_sims.empty()) all_sims = {studies::kSimulations};
    for (const int sims : all_sims) {
      tasks.push_back({match, player(name, sims, common, sets[i]), name, sims});
      if (!takes_sims) tasks.back().simulations = budget.value_or(MoveBudget{}).simulations;
    }
  }
  return tasks;
}

// Plays one task's games. Throws studies::Stopped.
studies::BalanceFigures measured(const Task& task) {
  Progress progress;
  const auto result = arena::play_match(
      task.match, task.player, task.player,
      [&](const arena::MatchResult& so_far) {
        progress.show(fmt::format("{}, {}: {} of {} games", task.match.rules.name(), task.name,
                                  so_far.games(), task.match.games));
      },
      &stop_flag());
  if (result.stopped) throw studies::Stopped{};
  return studies::balance_figures(task.match, result, task.name, task.simulations);
}

}  // namespace

bool wants_balance(const AdvantageStudy& asked, const CommonOptions& common) {
  return !asked.players.empty() || common.rules.value_or("").find(',') != std::string::npos;
}

int run_balance(const AdvantageStudy& asked, const StudyOptions& options,
                const CommonOptions& common) {
  const std::vector<Task> tasks = plan(asked, options, common);
  const bool of_a_player = !asked.players.empty() && options.out.empty();
  const fs::path folder =
      of_a_player ? fs::path("studies") / "balance" : study_folder(options, tasks.front().name);
  try {
    std::vector<studies::BalanceFigures> rows;
    for (const Task& task : tasks) rows.push_back(measured(task));
    return tell("balance", studies::words(rows), folder, common);
  } catch (const studies::Stopped&) {
    return stopped(common);
  }
}

}  // namespace app
