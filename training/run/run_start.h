#pragma once
// How a run starts: a new one from the files it is given, others from their newest checkpoint.

#include <filesystem>
#include <optional>
#include <vector>

#include "nn/weights.h"
#include "selfplay/game_record.h"
#include "training/run/run_loop.h"
#include "training/run/run_state.h"
#include "training/settings/run_config.h"
#include "training/student/student.h"

namespace training {

// What a new run is given beside its config.
struct Beginning {
  std::vector<selfplay::GameRecord> games;  // to learn from first
  std::optional<nn::Weights> weights;       // to start from
};

// Reads RunOptions::games and init; writes nothing. Throws base::InputError or nn::CheckpointError
// naming the file, also where it does not fit the config or has nothing to learn from.
Beginning read_beginning(const RunConfig& config, const RunOptions& options);

// Returns a checkpoint and restores the student from it. Throws nn::CheckpointError naming the
// checkpoint where it is damaged, base::InputError where its network or rules are not the config's.
RunState restore_checkpoint(const std::filesystem::path& checkpoint, const RunConfig& config,
                            Student& student);

// Does the same for the run's newest checkpoint that is not damaged. Logs which it is, which
// settings have changed, and which options do nothing. Throws base::InputError where all are
// damaged.
RunState restore_newest(const RunConfig& config, const RunOptions& options, Student& student);

}  // namespace training
