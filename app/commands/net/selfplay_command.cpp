#include "app/command.h"

#ifdef SHARPZERO_NET
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/machine.h"
#include "app/named/paths.h"
#include "app/named/players.h"
#include "app/progress.h"
#include "arena/network_player.h"
#include "base/files.h"
#include "base/hash.h"
#include "nn/device.h"
#include "selfplay/game_store.h"
#include "selfplay/generate.h"
#include "selfplay/network_evaluator.h"
#include "training/settings/run_config.h"
#include "training/student/run_precision.h"
#endif

namespace app {
namespace {

struct SelfPlay final : Command {
  std::string net = option(net, net_option());
  int games = option(games, CommandOption("--games", "N", "games to play").mandatory());
  std::string out =
      option(out, CommandOption("--out", "DIR", "folder, made where it is missing").mandatory());
  std::string config = option(
      config,
      {"--config", "FILE", "how to play: [selfplay], [search] and [rules] of this file or preset"});

  SelfPlay()
      : Command(
            "selfplay", "only play training games, into DIR/games.db",
            R"(Each game that is started is played to its end. On a processor a seed always plays the same
games of a network and config, on any number of threads: where they are in DIR already none
is added, and another --seed plays others.)") {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

#ifdef SHARPZERO_NET

// Games of another network, or played otherwise, have seeds of their own, by which a store tells
// games apart.
std::uint64_t seed_of_games(const nn::NetworkFile& network, const training::RunConfig& config) {
  return base::fnv1a(training::to_toml(config, /*with_help=*/false),
                     nn::fingerprint(network.weights));
}

int SelfPlay::run(const CommonOptions& common) const {
  require_no_run(out);
  const std::vector<std::string> changes = common.config_changes();
  const training::RunConfig how_to_play = config.empty()
                                              ? training::parse_config("", "selfplay", changes)
                                              : training::load_config(config_file(config), changes);
  const nn::NetworkFile network = load_network(net);
  const rules::Repertoire repertoire = how_to_play.rules.repertoire();
  for (const rules::RuleSet& rules : repertoire.sets())
    require_rules(network.repertoire, net, rules);
  const std::string device = nn::resolve_device(common.device);
  const int at_once = static_cast<int>(std::min<std::int64_t>(how_to_play.selfplay.games, games));
  const int in_parts = std::min(threads(common), at_once);
  const auto workers = selfplay::make_workers(
      {how_to_play.selfplay, how_to_play.search, repertoire, training::scoring_table(how_to_play)},
      in_parts, seed_of_games(network, how_to_play));
  const nn::PlayingNetwork playing = arena::playing_network(
      network, device, (at_once + in_parts - 1) / in_parts,
      training::requested_precision(how_to_play, device), /*batch_invariant=*/true);
  base::make_folder(out);
  const std::filesystem::path file = std::filesystem::path(out) / selfplay::kGamesFile;
  selfplay::GameStore store(file, selfplay::StoreMode::kWrite);
  const std::int64_t before = store.count();

  selfplay::GenerateOptions how;
  how.limit.games = games;
  how.generation = static_cast<int>(network.generation);
  how.evaluator = [&] { return std::make_unique<selfplay::NetworkEvaluator>(playing); };
  const std::atomic<bool>& stop = stop_flag();
  const selfplay::WorkerStats stats = [&] {
    Progress progress;
    how.halt = [&](std::int64_t plies, std::int64_t done) {
      progress.show(fmt::format("{} of {} games, {} plies", done, games, plies));
      return stop.load();
    };
    return selfplay::generate(workers, store, how);
  }();
  const std::int64_t added = store.count() - before;
  print(common,
        {{"out", out}, {"games", stats.games}, {"new", added}, {"evals", stats.evaluations}},
        fmt::format("{} games, {} of them new, in {}\n", stats.games, added, file.string()));
  if (added < stats.games) std::cerr << "the others were there: another --seed plays others\n";
  return stop ? kInterrupted : kDone;
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> selfplay_command() { return std::make_unique<SelfPlay>(); }

}  // namespace app
