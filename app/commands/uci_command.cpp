#include "app/command.h"

#ifdef SHARPZERO_NET
#include <algorithm>
#include <iostream>

#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/players.h"
#include "app/protocols/uci.h"
#include "nn/device.h"
#endif

namespace app {
namespace {

struct UciEngine final : Command {
  std::string net = option(
      net, {"--net", "NET",
            "network or NNUE (default: that of the run in runs/ that was started last, else the "
            "NNUE that comes with the program, else search alone)"});

  UciEngine() : Command("uci", "UCI engine for chess programs, on stdin and stdout") {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

#ifdef SHARPZERO_NET

int UciEngine::run(const CommonOptions& common) const {
  UciSettings settings;
  settings.rules = common.rule_set();
  settings.net = net;
  settings.threads = threads(common);
  // What was named and cannot be had is refused before the conversation begins.
  nn::resolve_device(common.device);
  if (!settings.net.empty()) require_network(settings.net, settings.rules);
  auto networks = listed_networks(RunList("runs", {}));
  std::stable_partition(networks.begin(), networks.end(),
                        [](const ListedNetwork& one) { return !one.comes_along; });
  Uci(settings, backend_loader(common, networks), std::cin, std::cout).run();
  return kDone;
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> uci_command() { return std::make_unique<UciEngine>(); }

}  // namespace app
