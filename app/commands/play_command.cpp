#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "app/command.h"
#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/scoring_table.h"
#include "app/play/play.h"

namespace app {
namespace {

struct Play final : Command {
  std::string net = option(net, opponent_option());
  std::string side =
      option(side, CommandOption("--side", "", "yours: w or b").one_of({"w", "b"}), "w");
  int level = option(
      level,
      CommandOption(
          "--level", "N",
          "how well it plays, 1 to 6: an NNUE by 100, 300, 1,000, 5,000, 40,000 or 400,000 "
          "nodes, a network by 8, 32, 100, 400, 1,600 or 6,400 simulations, the first three with "
          "some chance; all vary their first moves")
          .range(1, 6),
      4);
  int sims = option(
      sims,
      CommandOption("--sims", "N",
                    "instead of a level: simulations (nodes of an NNUE) of each of its moves, of "
                    "which it plays the best, but for the first few, which vary")
          .without({"--level"}));
  std::string pieces = option(pieces,
                              CommandOption("--pieces", "", "auto, unicode or letters")
                                  .one_of({"auto", "unicode", "letters"}),
                              "auto");
  std::string color = option(
      color,
      CommandOption("--color", "", "auto, always or never").one_of({"auto", "always", "never"}),
      "auto");
  std::string table = option(table, table_option(), "default");

  Play() : Command("play", "play against it in the terminal") {}
  int run(const CommonOptions& common) const override;
};

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

std::unique_ptr<Command> play_command() { return std::make_unique<Play>(); }

}  // namespace app
