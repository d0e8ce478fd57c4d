#pragma once
// A trained network as a player of matches.

#include <chrono>
#include <optional>
#include <string>

#include "arena/player.h"
#include "mcts/search_config.h"
#include "nn/checkpoint.h"
#include "nn/precision.h"

namespace arena {

struct NetworkPlayerOptions {
  std::string name;
  mcts::SearchConfig search = mcts::SearchConfig{}.for_play();
  std::string device = "cpu";
  std::optional<nn::Precision> precision;  // one of nn::precisions_on(device)
  int simulations = 64;                    // a move
  int evaluations = 0;                     // the most evaluations a move; 0 = no limit
  std::chrono::milliseconds move_time{0};  // the longest thought about a move; 0 = no limit
  std::optional<rules::ScoringTable>
      table{};             // what it takes the outcomes to pay; empty: what they do
  bool explore = false;    // root noise and forced playouts, as in self-play
  int games_at_once = 64;  // the most games it is asked about together: the network's batch
};

// Leaves of one tree that are evaluated together, where a search has the device to itself.
inline int one_tree_batch(const std::string& device) { return device == "cpu" ? 8 : 64; }

// Each player made has a copy of the network and one LibTorch thread. It plays the network's rule
// set alone. A precision that is not asked for is measured here.
PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options);

}  // namespace arena
