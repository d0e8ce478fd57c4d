#include "app/command.h"

#ifdef SHARPZERO_NET
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/machine.h"
#include "app/named/paths.h"
#include "app/named/stores.h"
#include "app/progress.h"
#include "base/errors.h"
#include "nn/device.h"
#include "training/page/report.h"
#include "training/run/run_loop.h"
#include "training/settings/run_config.h"
#include "training/store/assistant.h"
#endif

namespace app {
namespace {

struct Train final : Command {
  std::string config =
      option(config,
             {"--config", "FILE", "TOML file (see `config`), or the name of a preset of configs/"});
  std::string folder = option(
      folder, {"--run", "DIR",
               "run folder (default: runs/ and the config's name); an existing run is resumed"});
  std::string init = option(
      init,
      {"--init", "NET",
       "start a new run from this network's weights: an NNUE's, or of a residual network with "
       "the same [network], but for fewer blocks or no policy_attention"});
  std::vector<std::string> games = option(
      games,
      {"--games", "FILE",
       "games that a new run learns from first: PGN, a games.db, or the folder of a run or of "
       "`selfplay`; may be given again"});
  std::string teacher = option(
      teacher,
      {"--teacher", "NET",
       "an NNUE learns what this residual network says of the games' positions (nnue.teacher); "
       "from the games of --games, or else of NET where it is a run's folder, a new run learns "
       "alone, in 20 generations (run.plies_per_generation = 0), unless --set says otherwise"});
  std::string store = option(
      store,
      {"--store", "URL",
       "keep games and networks in a PostgreSQL store, postgresql://…, where actors help; the "
       "run's name there is its folder's"});
  bool learn_only =
      option(learn_only,
             CommandOption("--learn-only", "", "play no games, learn from those of actors alone")
                 .only_with("--store"));
  std::string tablebase = option(tablebase, tablebase_option());
  std::vector<std::string> set = option(set, set_option());
  std::optional<double> max_seconds = option(
      max_seconds, {"--max-time", "TIME", "how long the whole run may work: 8h, 90m, 1h30m"});
  std::optional<int> generations =
      option(generations, {"--generations", "N", "generations of the whole run"});

  Train()
      : Command("train", "learn: play games, train the network, again and again",
                "Disk: about 50 bytes a ply played, and 20 bytes a weight of the network for each "
                "checkpoint\n"
                "that is kept (run.keep_checkpoints of the newest, each tenth of the older).\n"
                "Several learners that are one (RANK, WORLD_SIZE): docs/distributed.md.",
                true) {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

#ifdef SHARPZERO_NET

namespace fs = std::filesystem;

fs::path folder_of(const Train& asked) {
  if (!asked.folder.empty()) return asked.folder;
  if (asked.config.empty()) {
    throw base::InputError("train: expected --config FILE, or --run DIR to go on with");
  }
  return fs::path("runs") / fs::path(asked.config).stem();
}

// A teacher's run has games to learn from.
std::vector<std::string> games_of(const Train& asked) {
  if (!asked.games.empty() || asked.teacher.empty()) return asked.games;
  if (!training::has_run(asked.teacher)) return {};
  return {asked.teacher};
}

// The file, or what the run has been told before; then --set; then the options that have a name of
// their own.
training::RunConfig run_config(const Train& asked, const CommonOptions& common,
                               const fs::path& folder) {
  std::vector<std::string> changes;
  if (!asked.teacher.empty() && !games_of(asked).empty()) {
    changes = {"run.plies_per_generation=0", "run.generations=20", "evaluation.every=0"};
  }
  std::ranges::copy(common.config_changes(asked.set), std::back_inserter(changes));
  if (asked.generations) {
    changes.push_back("run.generations=" + std::to_string(*asked.generations));
  }
  if (asked.max_seconds) {
    changes.push_back(fmt::format("run.max_minutes={}", *asked.max_seconds / 60));
  }
  if (!asked.tablebase.empty()) changes.push_back("selfplay.tablebase=" + asked.tablebase);
  if (!asked.teacher.empty()) changes.push_back("nnue.teacher=" + asked.teacher);
  return asked.config.empty() ? training::load_run_config(folder, changes)
                              : training::load_config(config_file(asked.config), changes);
}

// A run in a store has written one while it ran; the games of the last are read here.
fs::path write_last_report(const fs::path& folder, const std::string& store) {
  if (store.empty()) return training::write_report(folder);
  const OpenStore opened =
      open_store(store, training::run_name(folder), selfplay::StoreMode::kRead);
  return training::write_report(folder, opened.games.get());
}

int Train::run(const CommonOptions& common) const {
  const fs::path in = folder_of(*this);
  const training::RunConfig settings = run_config(*this, common, in);
  training::RunOptions run;
  run.folder = in;
  run.device = settings.run.teaches_nnue() ? "cpu" : nn::resolve_device(common.device);
  run.threads = threads(common);
  run.stop = &stop_flag();
  if (!init.empty()) run.init = init;
  std::ranges::copy(games_of(*this), std::back_inserter(run.games));
  if (!settings.nnue.teacher.empty()) run.teacher_device = nn::resolve_device(common.device);
  if (!store.empty()) {
    require_url("--store", store);
    if (!settings.selfplay.tablebase.empty()) {
      throw base::InputError(
          "train: selfplay.tablebase: expected none with --store, where games end by the rules");
    }
    if (!settings.nnue.teacher.empty()) {
      throw base::InputError("train: nnue.teacher: expected none with --store");
    }
    run.store = store;
    run.plays = !learn_only;
  }
  run.team = training::team_place();
  if (run.team && !run.store) {
    throw base::InputError(
        "WORLD_SIZE: several learners need --store, where they find their games");
  }
  if (run.team && run.team->rank > 0) {
    training::assist(settings, run);
    return kDone;
  }
  const training::RunEnd end = [&] {
    Progress progress;
    run.progress = [&progress](const std::string& text) { progress.show(text); };
    return training::RunLoop(settings, run).run();
  }();
  const fs::path report = write_last_report(in, store);
  constexpr const char* kEnds[] = {"finished", "stopped", "diverged"};
  print(common,
        {{"run", in.string()}, {"end", kEnds[static_cast<int>(end)]}, {"report", report.string()}},
        "");
  if (!common.json) {
    std::cerr << "run " << in.string() << ", report " << report.string() << "\n"
              << "to play its network: ./sharpzero play --net " << in.string() << "\n";
  }
  if (end == training::RunEnd::kStopped) {
    std::cerr << "stopped; run the same command to continue\n";
    return kInterrupted;
  }
  return end == training::RunEnd::kFinished ? kDone : kAnswerIsNo;
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> train_command() { return std::make_unique<Train>(); }

}  // namespace app
