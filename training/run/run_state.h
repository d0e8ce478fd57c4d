#pragma once
// A run's checkpoint: one folder, written aside and renamed, so that it is complete or not there.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/weights.h"
#include "selfplay/worker.h"
#include "training/settings/run_options.h"
#include "training/student/student_network.h"

namespace training {

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
