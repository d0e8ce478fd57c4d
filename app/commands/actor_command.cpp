#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/machine.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/stores.h"
#include "nn/device.h"
#include "training/store/actor.h"

namespace app {

int run_actor(const Options& options) {
  require_url("--store", options.actor.store);
  training::ActorOptions actor;
  actor.store = options.actor.store;
  actor.run = options.actor.run;
  actor.program = "sharpzero " SHARPZERO_VERSION;
  actor.device = nn::resolve_device(options.common.device);
  actor.threads = threads(options.common);
  actor.stop = &stop_flag();
  const training::ActorEnd end = [&] {
    Progress progress;
    actor.progress = [&progress](const std::string& text) { progress.show(text); };
    return training::run_actor(actor);
  }();
  print(options.common,
        {{"run", end.run}, {"lease", end.lease}, {"games", end.games}, {"unsent", end.unsent}},
        fmt::format("{} games of run {} sent, {} lost\n", end.games, end.run, end.unsent));
  return *actor.stop ? kInterrupted : kDone;
}

}  // namespace app
