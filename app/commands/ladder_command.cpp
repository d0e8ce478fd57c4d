#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/command.h"
#include "app/commands/parts/study_answer.h"
#include "app/machine.h"
#include "app/named/players.h"
#include "app/progress.h"
#include "arena/ladder.h"
#include "base/errors.h"
#include "training/page/report.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

struct Ladder final : Command {
  std::string of_run = option(of_run, {"--run", "DIR", "run folder; its ratings.json is written"});
  std::vector<std::string> players =
      option(players, {"--player", "P", "a further player, as `match` takes it; may be repeated"});
  int checkpoints = option(
      checkpoints,
      CommandOption("--checkpoints", "N", "at most so many, evenly spread").range(1, 1000), 6);
  int games = option(games, {"--games", "N", "of each encounter, in pairs"}, 40);
  int sims = option(sims, {"--sims", "N", "a network's simulations a move"}, 32);

  Ladder()
      : Command("ladder",
                "rate a run's checkpoints, other players and the baselines on one scale") {}
  int run(const CommonOptions& common) const override;
};

// What the run plays, and by which search; of several rule sets the one that --rules names, or the
// first.
void take_game(const std::string& run, const CommonOptions& common,
               arena::LadderSettings& settings) {
  const training::RunConfig config = training::load_run_config(run);
  if (!config.run.teaches_nnue()) common.need_net();
  const rules::Repertoire repertoire = config.rules.repertoire();
  settings.rules = common.rules ? common.rule_set() : repertoire.first();
  settings.table = training::scoring_table(config);
  settings.search = config.search.for_play();
  if (repertoire.contains(settings.rules)) return;
  throw base::InputError(run + ": the run plays " + repertoire.name() + ", not " +
                         settings.rules.title() + " (--rules)");
}

int Ladder::run(const CommonOptions& common) const {
  arena::LadderSettings settings;
  if (of_run.empty() && players.empty()) {
    throw base::InputError("ladder: expected --run DIR, --player P, or both");
  }
  studies::require_pairs("ladder", games);
  settings.run = of_run;
  settings.rules = common.rule_set();
  settings.table = settings.rules.table();
  if (!of_run.empty()) take_game(of_run, common, settings);
  for (const std::string& typed : players) {
    const auto budget = budget_in(typed, common, settings.rules);
    settings.players.push_back({typed, player(typed, sims, common, settings.rules)});
    if (!budget) continue;
    settings.players.back().simulations =
        budget->given() ? budget->simulations : std::optional(sims);
    settings.players.back().time_ms = budget->time_ms;
  }
  settings.device = device(common);
  settings.threads = threads(common);
  settings.seed = common.seed.value_or(1);
  settings.checkpoints = checkpoints;
  settings.games = games;
  settings.simulations = sims;
  std::vector<arena::Rating> ratings;
  {
    Progress progress;
    ratings = arena::rate(
        settings,
        [&](int played, int of, const std::string& next) {
          progress.show(fmt::format("{} of {} encounters played, now {}", played, of, next));
        },
        stop_flag());
  }
  if (stop_flag()) return stopped(common);
  if (!of_run.empty()) training::write_report(of_run);
  std::string text = fmt::format("{:<32} {:>6}   {:^15} {:>6}\n", "player", "Elo", "95 %", "games");
  for (const arena::Rating& rating : ratings) {
    text += fmt::format("{:<32} {:>6.0f}   {:>6.0f} to {:>5.0f} {:>6}\n", rating.player,
                        rating.elo.mean, rating.elo.low, rating.elo.high, rating.games);
  }
  return print(common, arena::to_json(ratings, settings), text, 2);
}

}  // namespace

std::unique_ptr<Command> ladder_command() { return std::make_unique<Ladder>(); }

}  // namespace app
