#pragma once
// What a run of a config will bring on a machine that `bench` has measured. Includes no LibTorch.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "training/settings/run_config.h"

namespace training {

// The figures of `bench all --json`, measured with the config's network on the device of the run.
struct MeasuredSpeeds {
  double evals_per_s = 0;            // selfplay_evals_per_s
  double evals_per_move = 0;         // selfplay_evals_per_move
  double plies_per_game = 0;         // selfplay_moves_per_s, selfplay_games_per_h
  double train_positions_per_s = 0;  // train_positions_per_s
  // What is left of games' speed while the network learns, and how fast it learns beside them:
  // beside_evals_per_s / alone_evals_per_s, beside_positions_per_s; where `bench` measured neither,
  // as if they took turns.
  double left_beside = 0;
  double beside_positions_per_s = 0;  // 0: not measured
};

// "5 blocks of 64 channels", as `bench` names what it measured.
std::string size_of(const nn::NetworkConfig& network);

// Throws base::InputError naming file and key, also where another network was measured.
MeasuredSpeeds read_speeds(const std::filesystem::path& bench, const nn::NetworkConfig& network);

// What a network of the config costs.
struct NetworkCost {
  double weights = 0;  // numbers
  double flops = 0;    // of an evaluation: two for each multiplication with a weight
};
NetworkCost cost_of(const nn::NetworkConfig& network);

// Sums over the run, but for its last matches.
struct NightPlan {
  double seconds = 0;  // at most run.max_minutes
  double generations = 0;
  double generation_s = 0;
  // What games alone take of the time, how much of it learning and matches beside them add.
  double games_fraction = 0, learning_fraction = 0, matches_fraction = 0;
  double learns_fraction = 0;  // of the time in which it learns
  double plies = 0, games = 0, evaluations = 0, positions_learned = 0;
  double disk_bytes = 0;  // at its end
};

// The formula of docs/gpu.md: games go on while the network learns and matches are played, but
// slower.
NightPlan plan(const RunConfig& config, const MeasuredSpeeds& speeds);

nlohmann::ordered_json to_json(const RunConfig& config, const MeasuredSpeeds& speeds,
                               const NightPlan& plan);
// The same in a few lines.
std::string to_text(const RunConfig& config, const MeasuredSpeeds& speeds, const NightPlan& plan);

}  // namespace training
