#include <algorithm>
#include <iostream>

#include "app/command.h"
#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/players.h"
#include "app/protocols/uci.h"

namespace app {
namespace {

struct UciEngine final : Command {
  std::string net = option(
      net, {"--net", "NET",
            "network or NNUE (default: that of the run in runs/ that was started last, else the "
            "NNUE that comes with the program, else search alone)"});

  std::string tablebase = option(tablebase, tablebase_option());

  UciEngine() : Command("uci", "UCI engine for chess programs, on stdin and stdout") {}
  int run(const CommonOptions& common) const override;
};

int UciEngine::run(const CommonOptions& common) const {
  UciSettings settings;
  settings.rules = common.rule_set();
  settings.net = net;
  settings.tablebase = tablebase;
  settings.threads = threads(common);
  // What was named and cannot be had is refused before the conversation begins.
  device(common);
  if (!settings.net.empty()) require_network(settings.net, settings.rules);
  prefer_net(common);
  auto networks = listed_networks(RunList("runs", {}));
  std::stable_partition(networks.begin(), networks.end(),
                        [](const ListedNetwork& one) { return !one.comes_along; });
  if (common.can_hand_over) backend_loader(common, networks)(net);  // throws where it is not for us
  CommonOptions here = common;
  here.can_hand_over = false;
  Uci(settings, backend_loader(here, networks), std::cin, std::cout).run();
  return kDone;
}

}  // namespace

std::unique_ptr<Command> uci_command() { return std::make_unique<UciEngine>(); }

}  // namespace app
