#pragma once
// A residual network that teaches an NNUE: it says of the positions of stored games what they are
// worth. Includes no LibTorch.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "nn/checkpoint.h"
#include "selfplay/game_record.h"
#include "training/settings/run_config.h"

namespace training {

// Reads the network of a run's folder, a checkpoint or a file. Throws base::InputError, naming it,
// where it is an NNUE or does not know the config's rules; else as nn::load_network() and
// nn::fold().
nn::NetworkFile load_teacher(const std::filesystem::path& network, const RunConfig& config);

struct LabelOptions {
  std::string device = "cpu";  // a result of nn::resolve_device()
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  // Gets games that have their labels, in order, each once.
  std::function<void(std::span<selfplay::GameRecord>)> store;
  // Is told how many games and positions are done.
  std::function<void(std::size_t games, std::int64_t positions)> progress;
};

// Puts the network's view of the position before each ply in the place of the search's: outcomes
// (root_outcomes_white) and their value under the game's table (root_value_stm). The network is
// asked once, with tactics search.lookahead plies deep, as in self-play; where a king can be taken,
// or every move loses the king, the outcome is certain. On a CPU the answers depend on nothing
// else. `store` and `progress` are called on this thread. Returns how many positions are done, of
// all games unless it was stopped. REQUIRES: games of the network's rules, without cards.
std::int64_t label(std::span<selfplay::GameRecord> games, const nn::NetworkFile& network,
                   const RunConfig& config, const LabelOptions& options);

}  // namespace training
