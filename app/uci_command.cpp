#include <iostream>

#include "app/brain.h"
#include "app/commands.h"
#include "app/machine.h"
#include "app/program.h"
#include "app/uci.h"

namespace app {

int run_uci(const Options& options) {
  UciSettings settings;
  settings.rules = options.common.rule_set();
  settings.net = options.uci.net;
  settings.threads = threads(options.common);
  Uci(settings, brain_loader(options.common), std::cin, std::cout).run();
  return kDone;
}

}  // namespace app
