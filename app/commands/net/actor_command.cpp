#include "app/command.h"

#ifdef SHARPZERO_NET
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/machine.h"
#include "app/named/stores.h"
#include "app/progress.h"
#include "nn/device.h"
#include "training/store/actor.h"
#endif

namespace app {
namespace {

struct Actor final : Command {
  std::string store = option(store, CommandOption("--store", "URL", kServerHelp).mandatory());
  std::string of_run = option(of_run, {"--run", "NAME", kRunInStoreHelp});

  Actor()
      : Command(
            "actor", "play training games for a run of `train --store`",
            "Any number, on any machines, at any time. Plays by the newest network until the run "
            "has finished;\nkeeps nothing on disk. Ctrl-C sends what is finished and ends it.\n"
            "Exit codes: 0 the run has finished; 2 no such store or run (yet), or none for this "
            "program;\n3 server, rights or device failed at the start.",
            true) {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

#ifdef SHARPZERO_NET

int Actor::run(const CommonOptions& common) const {
  require_url("--store", store);
  training::ActorOptions actor;
  actor.store = store;
  actor.run = of_run;
  actor.program = "sharpzero " SHARPZERO_VERSION;
  actor.device = nn::resolve_device(common.device);
  actor.threads = threads(common);
  actor.stop = &stop_flag();
  const training::ActorEnd end = [&] {
    Progress progress;
    actor.progress = [&progress](const std::string& text) { progress.show(text); };
    return training::run_actor(actor);
  }();
  print(common,
        {{"run", end.run}, {"lease", end.lease}, {"games", end.games}, {"unsent", end.unsent}},
        fmt::format("{} games of run {} sent, {} lost\n", end.games, end.run, end.unsent));
  return *actor.stop ? kInterrupted : kDone;
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> actor_command() { return std::make_unique<Actor>(); }

}  // namespace app
