#pragma once
// A training run: games, learning, checkpoint and matches, generation by generation.

#include <memory>

#include "training/settings/run_config.h"
#include "training/settings/run_options.h"

namespace training {

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
