#include "app/command.h"

namespace app {
namespace {

struct Luck final : Command {
  std::vector<std::string> players{"random", "greedy", "alphabeta:1", "alphabeta:2"};
  int games = 200;
  int sims = 32;

  Luck()
      : Command("luck", "how often the weaker of two players wins, under each of --rules A,B,...",
                "--rules: default raindrop,chess_sharp,chess. The weaker is who scored less. Where "
                "there are\n"
                "cards both games of a pair have them in the same order.") {}
  std::vector<CommandOption> options() override {
    return {{"--player", "P",
             "as `match` takes it; repeated, from weak to strong: each plays the next", &players},
            {"--games", "N", "of each encounter, in pairs", &games},
            {"--sims", "N", "a network's simulations a move", &sims}};
  }
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

}  // namespace

std::unique_ptr<Command> luck_command() { return std::make_unique<Luck>(); }

}  // namespace app

#ifdef SHARPZERO_NET

#include <fmt/format.h>

#include <vector>

#include "app/machine.h"
#include "app/players.h"
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
std::vector<Encounter> plan(const Luck& asked, const CommonOptions& common) {
  if (asked.players.size() < 2) throw base::InputError("luck: expected at least two --player");
  if (asked.games % 2 != 0) {
    throw base::InputError(fmt::format("luck: --games {}: expected an even number", asked.games));
  }
  const auto sets =
      rules::Repertoire::parse(common.rules.value_or("raindrop,chess_sharp,chess")).sets();
  std::vector<Encounter> encounters;
  for (const rules::RuleSet& set : sets) {
    for (std::size_t i = 0; i + 1 < asked.players.size(); ++i) {
      Encounter& next = encounters.emplace_back();
      next.match.games = asked.games;
      next.match.threads = threads(common);
      next.match.seed = common.seed.value_or(1);
      next.match.rules = set;
      next.match.table = set.table();
      next.match.keep_games = true;
      next.a = player(asked.players[i], asked.sims, common, set);
      next.b = player(asked.players[i + 1], asked.sims, common, set);
      next.name =
          fmt::format("{}, {} against {}", set.name(), asked.players[i], asked.players[i + 1]);
    }
  }
  return encounters;
}

int Luck::run(const CommonOptions& common) const {
  std::vector<studies::LuckFigures> rows;
  {
    Progress progress;
    for (const Encounter& next : plan(*this, common)) {
      const auto result = arena::play_match(
          next.match, next.a, next.b,
          [&](const arena::MatchResult& so_far) {
            progress.show(
                fmt::format("{}: {} of {} games", next.name, so_far.games(), next.match.games));
          },
          &stop_flag());
      if (result.stopped) return stopped(common);
      rows.push_back(studies::luck_figures(result));
    }
  }
  const studies::Answer answer = studies::words(rows);
  return print(common, answer.json, answer.text, 2);
}

}  // namespace
}  // namespace app

#endif  // SHARPZERO_NET
