#pragma once
// A trained network as a player of matches.

#include <optional>
#include <string>

#include "arena/search_player.h"
#include "nn/checkpoint.h"
#include "nn/precision.h"

namespace arena {

// Leaves in flight and rule sets are the network's affair.
struct NetworkPlayerOptions : SearchPlayerOptions {
  NetworkPlayerOptions() { search = search.for_play(); }

  std::string device = "cpu";
  std::optional<nn::Precision> precision;  // one of nn::precisions_on(device)
  int games_at_once = 64;  // the most games it is asked about together: the network's batch
};

// Leaves of one tree that are evaluated together, where a search has the device to itself.
inline int one_tree_batch(const std::string& device) { return device == "cpu" ? 8 : 64; }

// Each player made has a copy of the network and one LibTorch thread. It plays the network's rule
// set alone. A precision that is not asked for is measured here.
PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options);

}  // namespace arena
