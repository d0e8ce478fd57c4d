#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/machine.h"
#include "app/paths.h"
#include "app/players.h"
#include "app/program.h"
#include "app/progress.h"
#include "arena/network_player.h"
#include "base/files.h"
#include "base/hash.h"
#include "nn/device.h"
#include "selfplay/game_store.h"
#include "selfplay/generate.h"
#include "selfplay/network_evaluator.h"
#include "training/run/run_precision.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

// Games of another network, or played otherwise, have seeds of their own, by which a store tells
// games apart.
std::uint64_t seed_of_games(const nn::NetworkFile& network, const training::RunConfig& config) {
  return base::fnv1a(training::to_toml(config, /*with_help=*/false),
                     nn::fingerprint(network.weights));
}

}  // namespace

int run_selfplay(const Options& options) {
  const SelfPlayOptions& asked = options.selfplay;
  require_no_run(asked.out);
  const std::vector<std::string> changes = options.common.config_changes();
  const training::RunConfig config =
      asked.config.empty() ? training::parse_config("", "selfplay", changes)
                           : training::load_config(config_file(asked.config), changes);
  const nn::NetworkFile network = load_network(asked.net);
  const rules::Repertoire repertoire = config.rules.repertoire();
  for (const rules::RuleSet& rules : repertoire.sets())
    require_rules(network.repertoire, asked.net, rules);
  const std::string device = nn::resolve_device(options.common.device);
  const int at_once = static_cast<int>(std::min<std::int64_t>(config.selfplay.games, asked.games));
  const int in_parts = std::min(threads(options.common), at_once);
  const auto workers = selfplay::make_workers(
      {config.selfplay, config.search, repertoire, training::scoring_table(config)}, in_parts,
      seed_of_games(network, config));
  const nn::PlayingNetwork playing = arena::playing_network(
      network, device, (at_once + in_parts - 1) / in_parts,
      training::requested_precision(config, device), /*batch_invariant=*/true);
  base::make_folder(asked.out);
  const std::filesystem::path file = std::filesystem::path(asked.out) / "games.db";
  selfplay::GameStore store(file, selfplay::StoreMode::kWrite);
  const std::int64_t before = store.count();

  selfplay::GenerateOptions how;
  how.limit.games = asked.games;
  how.generation = static_cast<int>(network.generation);
  how.evaluator = [&] { return std::make_unique<selfplay::NetworkEvaluator>(playing); };
  const std::atomic<bool>& stop = stop_flag();
  const selfplay::WorkerStats stats = [&] {
    Progress progress;
    how.halt = [&](std::int64_t plies, std::int64_t games) {
      progress.show(fmt::format("{} of {} games, {} plies", games, asked.games, plies));
      return stop.load();
    };
    return selfplay::generate(workers, store, how);
  }();
  const std::int64_t added = store.count() - before;
  print(options.common,
        {{"out", asked.out}, {"games", stats.games}, {"new", added}, {"evals", stats.evaluations}},
        fmt::format("{} games, {} of them new, in {}\n", stats.games, added, file.string()));
  if (added < stats.games) std::cerr << "the others were there: another --seed plays others\n";
  return stop ? kInterrupted : kDone;
}

}  // namespace app
