#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/machine.h"
#include "app/paths.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/stores.h"
#include "base/errors.h"
#include "nn/device.h"
#include "training/page/report.h"
#include "training/run/run_loop.h"
#include "training/store/assistant.h"

namespace app {
namespace {

namespace fs = std::filesystem;

fs::path run_folder(const TrainOptions& asked) {
  if (!asked.run.empty()) return asked.run;
  if (asked.config.empty()) {
    throw base::InputError("train: expected --config FILE, or --run DIR to go on with");
  }
  return fs::path("runs") / fs::path(asked.config).stem();
}

// The file, or what the run has been told before; then --set; then the options that have a name of
// their own.
training::RunConfig run_config(const Options& options, const fs::path& folder) {
  const TrainOptions& asked = options.train;
  std::vector<std::string> changes = options.common.config_changes(asked.set);
  if (asked.generations) {
    changes.push_back("run.generations=" + std::to_string(*asked.generations));
  }
  if (asked.max_seconds) {
    changes.push_back(fmt::format("run.max_minutes={}", *asked.max_seconds / 60));
  }
  return asked.config.empty() ? training::load_run_config(folder, changes)
                              : training::load_config(config_file(asked.config), changes);
}

// A run in a store has written one while it ran; the games of the last are read here.
fs::path write_last_report(const fs::path& folder, const std::string& store) {
  if (store.empty()) return training::write_report(folder);
  const OpenStore opened = open_store(store, fs::weakly_canonical(folder).filename().string(),
                                      selfplay::StoreMode::kRead);
  return training::write_report(folder, opened.games.get());
}

}  // namespace

int run_train(const Options& options) {
  const TrainOptions& asked = options.train;
  const fs::path folder = run_folder(asked);
  training::RunOptions run;
  run.folder = folder;
  run.device = nn::resolve_device(options.common.device);
  run.threads = threads(options.common);
  run.stop = &stop_flag();
  if (!asked.init.empty()) run.init = asked.init;
  if (!asked.games.empty()) run.games = asked.games;
  if (!asked.store.empty()) {
    require_url("--store", asked.store);
    run.store = asked.store;
    run.plays = !asked.learn_only;
  }
  run.team = training::team_place();
  if (run.team && !run.store) {
    throw base::InputError(
        "WORLD_SIZE: several learners need --store, where they find their games");
  }
  if (run.team && run.team->rank > 0) {
    training::assist(run_config(options, folder), run);
    return kDone;
  }
  const training::RunEnd end = [&] {
    Progress progress;
    run.progress = [&progress](const std::string& text) { progress.show(text); };
    return training::RunLoop(run_config(options, folder), run).run();
  }();
  const fs::path report = write_last_report(folder, asked.store);
  constexpr const char* kEnds[] = {"finished", "stopped", "diverged"};
  print(options.common,
        {{"run", folder.string()},
         {"end", kEnds[static_cast<int>(end)]},
         {"report", report.string()}},
        "");
  if (!options.common.json) {
    std::cerr << "run " << folder.string() << ", report " << report.string() << "\n"
              << "to play its network: ./sharpzero play --net " << folder.string() << "\n";
  }
  if (end == training::RunEnd::kStopped) {
    std::cerr << "stopped; run the same command to continue\n";
    return kInterrupted;
  }
  return end == training::RunEnd::kFinished ? kDone : kAnswerIsNo;
}

}  // namespace app
