#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "app/command.h"
#include "app/named/paths.h"
#include "app/named/stores.h"
#include "base/errors.h"
#include "selfplay/game_store.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

// Where games are is a URL, a games.db or a folder with one.
struct Store final : Command {
  std::string action = option(action, CommandOption("action", "", "what to do")
                                          .one_of({"check", "prune", "copy", "grant"})
                                          .mandatory());
  std::string store = option(
      store, CommandOption("--store", "WHERE", "games.db, the folder of a run, or postgresql://…")
                 .mandatory());
  std::string of_run = option(of_run, {"--run", "NAME", kRunInStoreHelp});
  std::string to =
      option(to, {"--to", "WHERE", "copy: where the games go; made where it is missing"});
  std::optional<int> games =
      option(games, CommandOption("--games", "N", "prune: the newest games to keep")
                        .range(1, CommandOption::kMost));
  std::optional<int> networks =
      option(networks, {"--networks", "N", "prune: the newest networks to keep"});
  std::string role = option(
      role, {"--role", "ROLE",
             "grant: a PostgreSQL role that may act: read runs and networks, send games, nothing "
             "else"});

  Store()
      : Command(
            "store", "check, prune, copy or share a run's stored games",
            "check reads every game and replays it by the rules, and compares every network with "
            "its checksum.\n"
            "prune should keep the games of twice learner.window_max positions at least (a game "
            "has some 50).\n"
            "copy keeps the games' ids, so that a run goes on from the copy; a run's folder gives "
            "its config too.") {}
  int run(const CommonOptions& common) const override;
};

using selfplay::GameRecord;
using selfplay::StoreMode;

constexpr std::size_t kBatch = 256;  // games of a transaction

int check(const Store& asked, const CommonOptions& common) {
  const OpenStore store = open_store(asked.store, asked.of_run, StoreMode::kRead);
  std::int64_t games = 0, plies = 0;
  store.games->visit({}, [&](const GameRecord& game) {
    ++games;
    plies += std::ssize(game.plies);
    return true;
  });
  const std::int64_t networks = store.server ? store.server->check_networks(store.run) : 0;
  return print(
      common, {{"games", games}, {"plies", plies}, {"networks", networks}},
      fmt::format("{} games of {} plies and {} networks are sound\n", games, plies, networks));
}

int prune(const Store& asked, const CommonOptions& common) {
  if (!asked.games && !asked.networks) {
    throw base::InputError("store prune: expected --games N or --networks N, how many to keep");
  }
  const OpenStore store = open_store(asked.store, asked.of_run, StoreMode::kWrite);
  if (asked.networks && !store.server) {
    throw base::InputError("--networks: " + asked.store + " holds none, expected postgresql://…");
  }
  const std::int64_t games = asked.games ? store.games->prune(*asked.games) : 0;
  const std::int64_t networks =
      asked.networks ? store.server->prune(store.run, *asked.networks) : 0;
  return print(common, {{"games", games}, {"networks", networks}},
               fmt::format("{} games and {} networks removed\n", games, networks));
}

// The store that games are copied to, made where it is missing. A run that a server does not know
// yet gets the config of the folder that its games come from.
OpenStore destination(const Store& asked) {
  if (!selfplay::is_store_url(asked.to)) return open_store(asked.to, "", StoreMode::kWrite);
  OpenStore store;
  const bool folder = !selfplay::is_store_url(asked.store) && is_run(asked.store);
  const std::string name = !asked.of_run.empty() ? asked.of_run
                           : folder              ? training::run_name(asked.store)
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
int copy(const Store& asked, const CommonOptions& common) {
  if (asked.to.empty()) throw base::InputError("store copy: expected --to WHERE");
  const bool from_server = selfplay::is_store_url(asked.store);
  const OpenStore from = open_store(asked.store, from_server ? asked.of_run : "", StoreMode::kRead);
  const OpenStore to = destination(asked);
  const std::int64_t before = to.games->count();
  std::vector<GameRecord> batch;
  const auto store = [&] {
    to.games->copy_in(batch);
    batch.clear();
  };
  std::int64_t read = 0;
  from.games->visit({}, [&](const GameRecord& game) {
    ++read;
    batch.push_back(game);
    if (batch.size() == kBatch) store();
    return true;
  });
  store();
  const std::int64_t added = to.games->count() - before;
  return print(common, {{"games", read}, {"new", added}},
               fmt::format("{} games, {} of them new, in {}\n", read, added, to.games->name()));
}

int grant(const Store& asked, const CommonOptions& common) {
  require_url("--store", asked.store);
  if (asked.role.empty()) throw base::InputError("store grant: expected --role ROLE");
  selfplay::open_shared_store({.url = asked.store, .try_again = {}, .make = true})
      ->let_act(asked.role);
  return print(common, {{"role", asked.role}},
               fmt::format("{} may act: read runs and networks, send games\n", asked.role));
}

int Store::run(const CommonOptions& common) const {
  if (action == "check") return check(*this, common);
  if (action == "prune") return prune(*this, common);
  return action == "copy" ? copy(*this, common) : grant(*this, common);
}

}  // namespace

std::unique_ptr<Command> store_command() { return std::make_unique<Store>(); }

}  // namespace app
