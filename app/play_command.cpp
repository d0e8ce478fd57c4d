#include <iostream>

#include "app/brain.h"
#include "app/commands.h"
#include "app/machine.h"
#include "app/play.h"
#include "app/program.h"
#include "app/scoring_table.h"

namespace app {

int run_play(const Options& options) {
  const PlayOptions& asked = options.play;
  PlaySettings settings;
  settings.rules = options.common.rule_set();
  settings.table = scoring_table(asked.table);
  settings.side = asked.side == "b" ? rules::Color::kBlack : rules::Color::kWhite;
  settings.simulations = asked.sims;
  settings.threads = threads(options.common);
  play(settings, brain_loader(options.common)(asked.net), std::cin, std::cout);
  return kDone;
}

}  // namespace app
