#include <iostream>

#include "app/backend.h"
#include "app/commands.h"
#include "app/machine.h"
#include "app/players.h"
#include "app/program.h"
#include "app/uci.h"
#include "nn/device.h"

namespace app {

int run_uci(const Options& options) {
  UciSettings settings;
  settings.rules = options.common.rule_set();
  settings.net = options.uci.net;
  settings.threads = threads(options.common);
  // What was named and cannot be had is refused before the conversation begins.
  nn::resolve_device(options.common.device);
  if (!settings.net.empty()) require_network(settings.net, settings.rules);
  Uci(settings, backend_loader(options.common), std::cin, std::cout).run();
  return kDone;
}

}  // namespace app
