#include "app/named/stores.h"

#include <filesystem>

#include "base/errors.h"

namespace app {

OpenStore open_store(const std::string& where, const std::string& run, selfplay::StoreMode mode) {
  OpenStore found;
  if (selfplay::is_store_url(where)) {
    found.server = selfplay::open_shared_store({.url = where});
    found.run = found.server->find_run(run);
    found.games = std::make_unique<selfplay::GameStore>(found.server->games(found.run));
    return found;
  }
  if (!run.empty()) {
    throw base::InputError("--run " + run + ": " + where +
                           " holds one run: expected no --run, or --store postgresql://…");
  }
  const std::filesystem::path path(where);
  found.games = std::make_unique<selfplay::GameStore>(
      std::filesystem::is_directory(path) ? path / selfplay::kGamesFile : path, mode);
  return found;
}

void require_url(const std::string& option, const std::string& where) {
  if (selfplay::is_store_url(where)) return;
  throw base::InputError(option + " " + where + ": expected postgresql://USER@HOST/DATABASE");
}

}  // namespace app
