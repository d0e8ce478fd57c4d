#include <algorithm>
#include <iostream>

#include "app/commands.h"
#include "app/machine.h"
#include "app/networks.h"
#include "app/players.h"
#include "app/program.h"
#include "app/protocols/uci.h"
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
  auto networks = listed_networks(RunList("runs", {}));
  std::stable_partition(networks.begin(), networks.end(),
                        [](const ListedNetwork& one) { return !one.comes_along; });
  Uci(settings, backend_loader(options.common, networks), std::cin, std::cout).run();
  return kDone;
}

}  // namespace app
