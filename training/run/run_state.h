#pragma once
// A run's checkpoint: one folder, written aside and renamed, so that it is complete or not there.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/weights.h"
#include "selfplay/worker.h"
#include "training/student/student_network.h"

namespace training {

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
};

struct RunState {
  RunCounters counters;
  StudentNetwork network;                         // the one that plays
  nn::Weights trainer;                            // Student::state()
  std::vector<selfplay::GameInFlight> in_flight;  // by seat
  nlohmann::ordered_json record{};  // of the generation, for the metrics; null before the first
  std::string config{};             // that the run had, as to_toml() without help
  std::int64_t plies_ahead = 0;     // of RunCounters::plies: played for the next generation already
};

inline constexpr int kRunFormat = 6;

// run/checkpoints/000123.
std::filesystem::path checkpoint_folder(const std::filesystem::path& run, std::int64_t generation);

// Writes run/checkpoints/NNNNNN (the generation) and syncs it. Throws
// std::filesystem::filesystem_error or base::EnvironmentError, naming the path.
void save_state(const RunState& state, const std::filesystem::path& run);
// Throws nn::CheckpointError naming the file.
RunState load_state(const std::filesystem::path& checkpoint);

// Removes checkpoints but the first, the `keep` newest and each tenth. A kill on the way leaves
// none of them in part: what is left has a name that nn::list_checkpoints() ignores, and goes with
// the next call. Throws std::filesystem::filesystem_error.
void prune_checkpoints(const std::filesystem::path& run, int keep);

}  // namespace training
