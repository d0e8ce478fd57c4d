#pragma once
// The learner's side of a run whose games and networks travel through a shared store.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "selfplay/game_store.h"
#include "selfplay/shared_store.h"
#include "training/run/run_loop.h"
#include "training/settings/run_config.h"

namespace training {

// Owned by one thread. All functions wait while the server is away, until the run is stopped: then
// they throw selfplay::StoreAway.
class RunInStore {
 public:
  // Opens RunOptions::store, makes its tables where there are none, and takes the run that is
  // called as the folder. Throws what selfplay::SharedStore does.
  RunInStore(const RunConfig& config, const RunOptions& options);

  // Returns the run's games that count; it must not outlive this object.
  selfplay::GameStore games();

  // Stores a checkpoint's network, of this generation, for the actors.
  void publish(const std::filesystem::path& checkpoint, std::int64_t generation);
  // Says to actors whether they are needed.
  void set_finished(bool finished) { store_->set_finished(run_, finished); }

  // Lets games of the queue count, of at most about `most_plies` plies and of this generation at
  // the newest. What is refused is logged.
  void take_in(std::int64_t generation, std::int64_t most_plies);
  // Does so until the games after `last_game` have at least that many plies, or `halt`. Calls
  // `progress` with the plies so far.
  struct Wait {
    std::int64_t generation = 0, last_game = 0, plies = 0;
    std::function<bool()> halt;
    std::function<void(std::int64_t plies)> progress;
  };
  void wait_for(const Wait& wait);

  // What take_in() has let count since the last call.
  struct Arrived {
    std::int64_t games = 0, plies = 0;
  };
  Arrived arrived() { return std::exchange(arrived_, {}); }
  // Adds the run's actors and queue to a generation's record, and how long it waited for games.
  void add_to(nlohmann::ordered_json& record);

 private:
  RunConfig config_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<selfplay::SharedStore> store_;
  selfplay::SharedRun run_;
  Arrived arrived_;
  double waited_s_ = 0;
  bool away_ = false;  // and it was logged
};

}  // namespace training
