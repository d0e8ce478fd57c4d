#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include "app/commands.h"
#include "app/machine.h"
#include "app/networks.h"
#include "app/play.h"
#include "app/program.h"
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
Look look(const PlayOptions& asked) {
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  const bool colors = terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return {.unicode = asked.pieces == "auto" ? terminal && writes_utf8() : asked.pieces == "unicode",
          .color = asked.color == "auto" ? colors : asked.color == "always"};
}

}  // namespace

int run_play(const Options& options) {
  const PlayOptions& asked = options.play;
  PlaySettings settings;
  settings.game.rules = options.common.rule_set();
  settings.game.table = scoring_table(asked.table, settings.game.rules);
  settings.game.side = asked.side == "b" ? rules::Color::kBlack : rules::Color::kWhite;
  settings.game.level = asked.level;
  settings.game.budget = asked.sims;
  settings.threads = threads(options.common);
  // Another game every time, unless a seed is asked for.
  settings.game.seed = options.common.seed ? *options.common.seed : std::random_device{}();
  settings.look = look(asked);
  play(settings, backend_loader(options.common, listed_networks(RunList("runs", {})))(asked.net),
       std::cin, std::cout);
  return kDone;
}

}  // namespace app
