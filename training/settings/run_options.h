#pragma once
// What a run is told beside its config, and what it counts.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace training {

// A learner's place among several.
struct TeamPlace {
  int rank = 0, size = 1;  // rank 0 leads: it alone writes
  std::string address;     // of rank 0
  int port = 29500;
};

// Reads RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT as torchrun sets them, or in their place
// SLURM_PROCID and SLURM_NTASKS; none where there is one learner. Throws base::InputError naming
// what is missing or wrong.
std::optional<TeamPlace> team_place();

// What the command line adds to the config.
struct RunOptions {
  std::filesystem::path folder;  // made where it is missing; resumed where it is a run
  // For a new run; one that is resumed warns that they do nothing.
  std::optional<std::filesystem::path> init;  // a network to start from
  std::vector<std::filesystem::path> games;   // to learn from first: of each read_games()
  // The URL of a shared store (selfplay/shared_store.h), where the run's games and networks are
  // instead of in games.db.
  std::optional<std::string> store;
  bool plays = true;  // else it learns from what actors send to that store, alone
  // This learner's place among several that are one: the first leads, the others call assist()
  // instead.
  std::optional<TeamPlace> team;
  std::string device = "cpu";
  std::string teacher_device = "cpu";  // nnue.teacher's
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;           // set: finish the batch, store, return
  std::function<void(const std::string&)> progress;  // gets a line on the progress; may be empty

  bool stopped() const { return stop && stop->load(); }
};

enum class RunEnd { kFinished, kStopped, kDiverged };

// What watch_plateau() remembers: a stretch of generations, and what came of those before.
struct PlateauState {
  std::int64_t generations = 0, positions = 0;
  double loss = 0, gain = 0;  // nats: at its start, and the sum over its generations
  bool stalled = false;       // the stretch before did not gain enough
  int halvings = 0;
};

// Where a run stands.
struct RunCounters {
  std::int64_t generation = 0;   // generations done
  std::int64_t games = 0;        // its own, finished
  std::int64_t plies = 0;        // played, also in games not finished yet
  std::int64_t targets = 0;      // positions ever added to the replay window
  std::int64_t evaluations = 0;  // network evaluations in self-play
  std::int64_t last_game = 0;    // id in the store of the newest game the network has learned from
  std::int64_t compared = 0;     // generation that last played matches; 0: none yet
  double elapsed_s = 0;          // time the run has worked, pauses left out
  double learning_rate_scale = 1;     // lowered after a loss that exploded
  std::string precision;              // nn::name() of the one chosen for play; empty: none yet
  bool mixed_precision = false;       // the network learns in mixed precision
  std::string processor;              // on which the run was last; empty: none yet
  std::int64_t held_out_targets = 0;  // positions ever added to the validation games' window
  PlateauState plateau;
};

}  // namespace training
