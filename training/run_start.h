#pragma once
// What a run starts from: what a new one is given, or its newest checkpoint.

#include <filesystem>
#include <optional>
#include <vector>

#include "nn/weights.h"
#include "selfplay/game_record.h"
#include "training/learner.h"
#include "training/run_config.h"
#include "training/run_loop.h"
#include "training/run_state.h"

namespace training {

// What a new run is given beside its config.
struct Beginning {
  std::vector<selfplay::GameRecord> games;  // to learn from first
  std::optional<nn::Weights> weights;       // to start from
};

// Reads RunOptions::games and init; nothing is written. Throws base::InputError or
// nn::CheckpointError naming the file, also where it does not fit the config or teaches nothing.
Beginning read_beginning(const RunConfig& config, const RunOptions& options);

// A checkpoint, whose trainer the learner goes on from. Throws nn::CheckpointError naming the
// checkpoint where it is damaged, base::InputError where its network or rules are not the
// config's.
RunState restore_checkpoint(const std::filesystem::path& checkpoint, const RunConfig& config,
                            Learner& learner);

// The newest checkpoint of the run that is whole, likewise; damaged ones are passed over. Logs
// which it is, what the config has that the run had not, and what options do nothing. Throws
// base::InputError where none is whole.
RunState restore_newest(const RunConfig& config, const RunOptions& options, Learner& learner);

}  // namespace training
