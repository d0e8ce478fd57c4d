#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/machine.h"
#include "app/players.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/study.h"
#include "arena/ladder.h"
#include "base/errors.h"
#include "nn/device.h"
#include "training/page/report.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

// What the run plays, and by which search; of several rule sets the one that --rules names, or the
// first.
void take_game(const std::string& run, const CommonOptions& common,
               arena::LadderSettings& settings) {
  const training::RunConfig config = training::load_run_config(run);
  const rules::Repertoire repertoire = config.rules.repertoire();
  settings.rules = common.rules ? common.rule_set() : repertoire.first();
  settings.table = training::scoring_table(config);
  settings.search = config.search.for_play();
  if (repertoire.contains(settings.rules)) return;
  throw base::InputError(run + ": the run plays " + repertoire.name() + ", not " +
                         settings.rules.name() + " (--rules)");
}

}  // namespace

int run_ladder(const Options& options) {
  const LadderOptions& asked = options.ladder;
  arena::LadderSettings settings;
  if (asked.run.empty() && asked.players.empty()) {
    throw base::InputError("ladder: expected --run DIR, --player P, or both");
  }
  if (asked.games % 2 != 0) {
    throw base::InputError(
        fmt::format("ladder: {} games of each encounter, expected pairs", asked.games));
  }
  settings.run = asked.run;
  settings.rules = options.common.rule_set();
  settings.table = settings.rules.table();
  if (!asked.run.empty()) take_game(asked.run, options.common, settings);
  for (const std::string& name : asked.players) {
    const auto budget = budget_in(name, options.common, settings.rules);
    settings.players.push_back({name, player(name, asked.sims, options.common, settings.rules)});
    if (!budget) continue;
    settings.players.back().simulations =
        budget->given() ? budget->simulations : std::optional(asked.sims);
    settings.players.back().time_ms = budget->time_ms;
  }
  settings.device = nn::resolve_device(options.common.device);
  settings.threads = threads(options.common);
  settings.seed = options.common.seed.value_or(1);
  settings.checkpoints = asked.checkpoints;
  settings.games = asked.games;
  settings.simulations = asked.sims;
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
  if (stop_flag()) return stopped(options.common);
  if (!asked.run.empty()) training::write_report(asked.run);
  std::string text = fmt::format("{:<32} {:>6}   {:^15} {:>6}\n", "player", "Elo", "95 %", "games");
  for (const arena::Rating& rating : ratings) {
    text += fmt::format("{:<32} {:>6.0f}   {:>6.0f} to {:>5.0f} {:>6}\n", rating.player,
                        rating.elo.mean, rating.elo.low, rating.elo.high, rating.games);
  }
  return print(options.common, arena::to_json(ratings, settings), text, 2);
}

}  // namespace app
