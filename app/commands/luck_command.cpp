#include <fmt/format.h>

#include <vector>

#include "app/commands.h"
#include "app/machine.h"
#include "app/players.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/study.h"
#include "base/errors.h"
#include "rules/repertoire.h"
#include "studies/luck.h"

namespace app {
namespace {

struct Encounter {
  arena::MatchConfig match;
  arena::PlayerFactory a, b;
  std::string name;
};

// Throws where a player does not play a rule set, so that nothing is played in vain.
std::vector<Encounter> plan(const Options& options) {
  const LuckOptions& asked = options.luck;
  if (asked.players.size() < 2) throw base::InputError("luck: expected at least two --player");
  if (asked.games % 2 != 0) {
    throw base::InputError(fmt::format("luck: --games {}: expected an even number", asked.games));
  }
  const auto sets =
      rules::Repertoire::parse(options.common.rules.value_or("raindrop,chess_sharp,chess")).sets();
  std::vector<Encounter> encounters;
  for (const rules::RuleSet& set : sets) {
    for (std::size_t i = 0; i + 1 < asked.players.size(); ++i) {
      Encounter& next = encounters.emplace_back();
      next.match.games = asked.games;
      next.match.threads = threads(options.common);
      next.match.seed = options.common.seed.value_or(1);
      next.match.rules = set;
      next.match.table = set.table();
      next.match.keep_games = true;
      next.a = player(asked.players[i], asked.sims, options.common, set);
      next.b = player(asked.players[i + 1], asked.sims, options.common, set);
      next.name =
          fmt::format("{}, {} against {}", set.name(), asked.players[i], asked.players[i + 1]);
    }
  }
  return encounters;
}

}  // namespace

int run_luck(const Options& options) {
  std::vector<studies::LuckFigures> rows;
  {
    Progress progress;
    for (const Encounter& next : plan(options)) {
      const auto result = arena::play_match(
          next.match, next.a, next.b,
          [&](const arena::MatchResult& so_far) {
            progress.show(
                fmt::format("{}: {} of {} games", next.name, so_far.games(), next.match.games));
          },
          &stop_flag());
      if (result.stopped) return stopped(options.common);
      rows.push_back(studies::luck_figures(result));
    }
  }
  const studies::Answer answer = studies::words(rows);
  return print(options.common, answer.json, answer.text, 2);
}

}  // namespace app
