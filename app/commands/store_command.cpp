#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/commands.h"
#include "app/paths.h"
#include "app/program.h"
#include "app/stores.h"
#include "base/errors.h"
#include "selfplay/game_store.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using selfplay::GameRecord;
using selfplay::StoreMode;

constexpr std::size_t kBatch = 256;  // games of a transaction

int check(const Options& options) {
  const OpenStore store = open_store(options.store.store, options.store.run, StoreMode::kRead);
  std::int64_t games = 0, plies = 0;
  store.games->for_each({}, [&](const GameRecord& game) {
    ++games;
    plies += std::ssize(game.plies);
    return true;
  });
  const std::int64_t networks = store.server ? store.server->check_networks(store.run) : 0;
  return print(
      options.common, {{"games", games}, {"plies", plies}, {"networks", networks}},
      fmt::format("{} games of {} plies and {} networks are sound\n", games, plies, networks));
}

int prune(const Options& options) {
  const StoreOptions& asked = options.store;
  if (!asked.games && !asked.networks) {
    throw base::InputError("store prune: expected --games N or --networks N, how many to keep");
  }
  const OpenStore store = open_store(asked.store, asked.run, StoreMode::kWrite);
  if (asked.networks && !store.server) {
    throw base::InputError("--networks: " + asked.store + " holds none, expected postgresql://…");
  }
  const std::int64_t games = asked.games ? store.games->prune(*asked.games) : 0;
  const std::int64_t networks =
      asked.networks ? store.server->prune(store.run, *asked.networks) : 0;
  return print(options.common, {{"games", games}, {"networks", networks}},
               fmt::format("{} games and {} networks removed\n", games, networks));
}

// The store that games are copied to, made where it is missing. A run that a server does not know
// yet gets the config of the folder that its games come from.
OpenStore destination(const StoreOptions& asked) {
  if (!selfplay::is_store_url(asked.to)) return open_store(asked.to, "", StoreMode::kWrite);
  OpenStore store;
  const bool folder = !selfplay::is_store_url(asked.store) && is_run(asked.store);
  const std::string name = !asked.run.empty() ? asked.run
                           : folder ? fs::weakly_canonical(asked.store).filename().string()
                                    : std::string();
  if (name.empty()) throw base::InputError("store copy: expected --run NAME, the run's in --to");
  const std::string config =
      folder ? training::to_toml(training::load_run_config(asked.store), /*with_help=*/false) : "";
  store.server = selfplay::open_shared_store({.url = asked.to, .try_again = {}, .make = true});
  store.run = store.server->claim_run(name, config);
  store.games = std::make_unique<selfplay::GameStore>(store.server->games(store.run));
  return store;
}

// Games that are there already are left out: so a copy that was cut off goes on.
int copy(const Options& options) {
  const StoreOptions& asked = options.store;
  if (asked.to.empty()) throw base::InputError("store copy: expected --to WHERE");
  const bool from_server = selfplay::is_store_url(asked.store);
  const OpenStore from = open_store(asked.store, from_server ? asked.run : "", StoreMode::kRead);
  const OpenStore to = destination(asked);
  const std::int64_t before = to.games->count();
  std::vector<GameRecord> batch;
  const auto store = [&] {
    to.games->copy_in(batch);
    batch.clear();
  };
  std::int64_t read = 0;
  from.games->for_each({}, [&](const GameRecord& game) {
    ++read;
    batch.push_back(game);
    if (batch.size() == kBatch) store();
    return true;
  });
  store();
  const std::int64_t added = to.games->count() - before;
  return print(options.common, {{"games", read}, {"new", added}},
               fmt::format("{} games, {} of them new, in {}\n", read, added, to.games->name()));
}

int grant(const Options& options) {
  const StoreOptions& asked = options.store;
  require_url("--store", asked.store);
  if (asked.role.empty()) throw base::InputError("store grant: expected --role ROLE");
  selfplay::open_shared_store({.url = asked.store, .try_again = {}, .make = true})
      ->let_act(asked.role);
  return print(options.common, {{"role", asked.role}},
               fmt::format("{} may act: read runs and networks, send games\n", asked.role));
}

std::string seconds(const nlohmann::ordered_json& value) {
  return value.is_null() ? "-" : fmt::format("{:.0f} s", value.get<double>());
}

std::string describe(const nlohmann::ordered_json& run) {
  std::string text =
      fmt::format("run {}: {}, {} games, {:.0f} games/h\n", run["run"].get<std::string>(),
                  run["finished"].get<bool>()  ? "finished"
                  : run["learner"].get<bool>() ? "a learner is at work"
                                               : "no learner",
                  run["games"].get<std::int64_t>(), run["games_per_h"].get<double>());
  text += fmt::format("  queue {}, longest there {}; refused {}\n", run["queue"].dump(),
                      seconds(run["longest_in_queue_s"]), run["refused"].dump());
  text += fmt::format("  newest network {}, {} old\n", run["network"].dump(),
                      seconds(run["network_age_s"]));
  for (const auto& actor : run["actors"]) {
    text += fmt::format(
        "  actor {} on {}: {}, {} threads, network {}, {} games, {:.0f} games/h, waited {}, seen {} "
        "ago\n",
        actor["lease"].dump(), actor["machine"].get<std::string>(),
        actor["device"].get<std::string>(), actor["threads"].dump(), actor["network"].dump(),
        actor["games"].dump(), actor["games_per_h"].get<double>(), seconds(actor["waited_s"]),
        seconds(actor["seen_s"]));
  }
  return text;
}

}  // namespace

int run_store(const Options& options) {
  const std::string& action = options.store.action;
  if (action == "check") return check(options);
  if (action == "prune") return prune(options);
  return action == "copy" ? copy(options) : grant(options);
}

int run_status(const Options& options) {
  require_url("--store", options.status.store);
  const auto runs =
      selfplay::open_shared_store({.url = options.status.store})->status(options.status.run);
  if (runs.empty() && !options.status.run.empty()) {
    throw base::InputError(options.status.store + ": holds no run '" + options.status.run + "'");
  }
  std::string text = runs.empty() ? "no runs\n" : "";
  for (const auto& run : runs) text += describe(run);
  return print(options.common, runs, text);
}

}  // namespace app
