#include "app/command.h"

namespace app {
namespace {

struct Play final : Command {
  std::string net;
  std::string side = "w";
  int level = 4;
  int sims = 0;  // instead of the level's
  std::string pieces = "auto";
  std::string color = "auto";
  std::string table = "default";

  Play() : Command("play", "play against it in the terminal") {}
  std::vector<CommandOption> options() override {
    return {
        opponent_option(net),
        CommandOption("--side", "", "yours: w or b", &side).one_of({"w", "b"}),
        CommandOption(
            "--level", "N",
            "how well it plays, 1 to 6: an NNUE by 100, 300, 1,000, 5,000, 40,000 or 400,000 "
            "nodes, a network by 8, 32, 100, 400, 1,600 or 6,400 simulations, the first three with "
            "some chance; all vary their first moves",
            &level)
            .range(1, 6),
        CommandOption("--sims", "N",
                      "instead of a level: simulations (nodes of an NNUE) of each of its moves, of "
                      "which it plays the best, but for the first few, which vary",
                      &sims)
            .without({"--level"}),
        CommandOption("--pieces", "", "auto, unicode or letters", &pieces)
            .one_of({"auto", "unicode", "letters"}),
        CommandOption("--color", "", "auto, always or never", &color)
            .one_of({"auto", "always", "never"}),
        table_option(table)};
  }
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

}  // namespace

std::unique_ptr<Command> play_command() { return std::make_unique<Play>(); }

}  // namespace app

#ifdef SHARPZERO_NET

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "app/machine.h"
#include "app/networks.h"
#include "app/play.h"
#include "app/scoring_table.h"

namespace app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool writes_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = environment(name);
    if (locale.empty()) continue;
    std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

// "auto" is what the terminal is likely to show.
Look look(const Play& asked) {
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  const bool colors = terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return {.unicode = asked.pieces == "auto" ? terminal && writes_utf8() : asked.pieces == "unicode",
          .color = asked.color == "auto" ? colors : asked.color == "always"};
}

int Play::run(const CommonOptions& common) const {
  PlaySettings settings;
  settings.game.rules = common.rule_set();
  settings.game.table = scoring_table(table, settings.game.rules);
  settings.game.side = side == "b" ? rules::Color::kBlack : rules::Color::kWhite;
  settings.game.level = level;
  settings.game.budget = sims;
  settings.threads = threads(common);
  // Another game every time, unless a seed is asked for.
  settings.game.seed = common.seed ? *common.seed : std::random_device{}();
  settings.look = look(*this);
  play(settings, backend_loader(common, listed_networks(RunList("runs", {})))(net), std::cin,
       std::cout);
  return kDone;
}

}  // namespace
}  // namespace app

#endif  // SHARPZERO_NET
