#pragma once
// Stores of games as the command line names them.

#include <memory>
#include <string>

#include "selfplay/game_store.h"
#include "selfplay/shared_store.h"

namespace app {

// A run's games, and the server they are on where that is a shared store.
struct OpenStore {
  std::unique_ptr<selfplay::SharedStore> server;
  selfplay::SharedRun run;  // there
  std::unique_ptr<selfplay::GameStore> games;
};

// Opens the games of a run: `where` is a URL, then `run` is the run's name (empty: the newest), or
// a games.db, or the folder of a run with one.
OpenStore open_store(const std::string& where, const std::string& run, selfplay::StoreMode mode);

// Throws base::InputError where it is no URL of a shared store. `option` begins the message.
void require_url(const std::string& option, const std::string& where);

}  // namespace app
