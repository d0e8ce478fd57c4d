#pragma once
// The learner's side of a run whose games and networks travel through a shared store.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "selfplay/game_store.h"
#include "selfplay/shared_store.h"
#include "training/settings/run_config.h"
#include "training/settings/run_options.h"

namespace training {

// The games of one generation.
struct GamesWanted {
  std::int64_t generation = 0;
  std::int64_t last_game = 0;  // id of the newest game that was learned from
  std::int64_t plies = 0;
  std::function<bool()> halt;  // the run is stopped or out of time
  std::function<void(std::int64_t plies)> progress;
};

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
  // Does so until the games after `last_game` have at least that many plies, or `halt`.
  void wait_for(const GamesWanted& wanted);

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
