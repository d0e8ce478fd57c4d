#pragma once
// A training run: games, learning, checkpoint and matches, generation by generation.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "training/learner/learner_team.h"
#include "training/settings/run_config.h"

namespace training {

// What the command line adds to the config.
struct RunOptions {
  std::filesystem::path folder;  // made where it is missing; resumed where it is a run
  // For a new run; one that is resumed warns that they do nothing.
  std::optional<std::filesystem::path> init;   // a network to start from
  std::optional<std::filesystem::path> games;  // to learn from first: read_games()
  // The URL of a shared store (selfplay/shared_store.h), where the run's games and networks are
  // instead of in games.db.
  std::optional<std::string> store;
  bool plays = true;  // else it learns from what actors send to that store, alone
  // This learner's place among several that are one (training/learner/learner_team.h): the first
  // leads, the others call assist() instead.
  std::optional<TeamPlace> team;
  std::string device = "cpu";
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;           // set: finish the batch, store, return
  std::function<void(const std::string&)> progress;  // gets a line on the progress; may be empty

  bool stopped() const { return stop && stop->load(); }
};

enum class RunEnd { kFinished, kStopped, kDiverged };

// Owned by one thread; starts its own. Both functions throw base::InputError (a folder of
// another version, another network, damaged beyond its last checkpoint), nn::CheckpointError (a
// network to start from; a checkpoint that an exploded loss goes back to) and, where the machine
// fails, base::EnvironmentError (disk, a run in use), std::filesystem::filesystem_error (disk;
// path1() says where) or what the standard library and LibTorch throw (memory, device). A new run
// whose `init` or `games` is refused leaves nothing behind; one that exists and is refused keeps
// its settings.
class RunLoop {
 public:
  RunLoop(const RunConfig& config, const RunOptions& options);
  ~RunLoop();
  RunEnd run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace training
