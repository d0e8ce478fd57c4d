#include "training/run/run_start.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/errors.h"
#include "nn/checkpoint.h"
#include "nn/folded_weights.h"
#include "nn/nnue_file.h"
#include "selfplay/game_pgn.h"
#include "training/store/run_games.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using selfplay::GameRecord;

// Calls f, and adds the file's name to an nn::CheckpointError of arrays that do not fit.
template <class F>
void naming(const fs::path& file, F&& f) {
  try {
    f();
  } catch (const nn::CheckpointError& error) {
    throw nn::CheckpointError(file.string() + ": " + error.what());
  }
}

bool has_target(const GameRecord& game) {
  return std::ranges::any_of(game.plies, &selfplay::PlyRecord::is_target);
}

std::vector<GameRecord> games_of(const fs::path& file, const RunConfig& config) {
  const rules::Repertoire repertoire = config.rules.repertoire();
  auto games = selfplay::read_games(file, repertoire.first());
  if (games.empty()) throw base::InputError(file.string() + ": expected finished games");
  check_rules(games, repertoire, file);
  if (!config.run.teaches_nnue() && std::ranges::none_of(games, has_target)) {
    throw base::InputError(file.string() + ": " + std::to_string(games.size()) +
                           " games, none with a policy to learn from (a study's have none); "
                           "expected games of self-play, or PGN");
  }
  spdlog::info("learns from {} games of {} first", games.size(), file.string());
  return games;
}

// Reads a residual network's weights. It may have fewer blocks than the config and lack the
// policy's attention: what is added starts without effect.
nn::Weights weights_to_start_from(const fs::path& network, const nn::NetworkConfig& config) {
  if (nn::is_nnue(network)) {
    throw base::InputError(network.string() +
                           ": an NNUE: expected a residual network (run.student)");
  }
  nn::NetworkFile start = nn::load_network(network);
  nn::NetworkConfig grown = start.config;
  grown.blocks = std::max(grown.blocks, config.blocks);
  if (grown.policy_attention == 0) grown.policy_attention = config.policy_attention;
  if (grown != config) {
    throw base::InputError(network.string() +
                           ": another [network] than the config's: " + difference(grown, config) +
                           " (allowed: fewer blocks, no policy_attention)");
  }
  naming(network, [&] { nn::fold(start.config, start.weights); });
  if (start.config.blocks < config.blocks) {
    spdlog::info("{}: {} blocks, grows to {}", network.string(), start.config.blocks,
                 config.blocks);
  }
  return std::move(start.weights);
}

// Logs which settings differ from the checkpoint's, as they may by accident.
void tell_changes(const std::string& before, RunConfig config) {
  try {
    RunConfig old = parse_config(before, "the checkpoint's settings");
    for (const auto& [name, was, is] : changes(options_of(old), options_of(config))) {
      spdlog::info("changed since: {} = {}, was {}", name, is, was);
    }
  } catch (const base::InputError& error) {
    spdlog::info("changed since: {}", error.what());
  }
}

}  // namespace

Beginning read_beginning(const RunConfig& config, const RunOptions& options) {
  Beginning found;
  std::unordered_set<std::uint64_t> seeds;  // a game that is in two files counts once
  for (const fs::path& file : options.games) {
    for (GameRecord& game : games_of(file, config)) {
      if (game.seed == 0 || seeds.insert(game.seed).second) found.games.push_back(std::move(game));
    }
  }
  if (!config.run.plays_games() && (options.games.empty() || options.store)) {
    throw base::InputError(
        "run.plies_per_generation = 0, so that none are played: expected games to learn from (--games) "
        "and no store");
  }
  if (options.init && config.run.teaches_nnue()) {
    found.weights = nn::to_arrays(nn::load_nnue(*options.init).weights);
  } else if (options.init) {
    found.weights = weights_to_start_from(*options.init, config.network);
  }
  return found;
}

RunState restore_checkpoint(const fs::path& checkpoint, const RunConfig& config, Student& student) {
  RunState state = load_state(checkpoint);
  check_network(state.network, config, checkpoint.string(),
                (checkpoint.parent_path().parent_path() / kConfigFile).string());
  naming(checkpoint, [&] { student.restore(state.network, state.trainer); });
  return state;
}

RunState restore_newest(const RunConfig& config, const RunOptions& options, Student& student) {
  const std::string run = options.folder.string();
  if (options.init || !options.games.empty()) {
    spdlog::warn("{}: goes on as it is; --init and --games are for a new run and do nothing", run);
  }
  const auto checkpoints = nn::list_checkpoints(options.folder);
  for (auto path = checkpoints.rbegin(); path != checkpoints.rend(); ++path) {
    try {
      RunState state = restore_checkpoint(*path, config, student);
      spdlog::info("going on from {}", path->string());
      tell_changes(state.config, config);
      return state;
    } catch (const nn::CheckpointError& error) {
      spdlog::warn("{}: passed over", error.what());
    }
  }
  throw base::InputError(run + ": no checkpoint is whole");
}

}  // namespace training
