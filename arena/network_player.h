#pragma once
// A trained network as a player of matches.

#include <optional>
#include <string>

#include "arena/search_player.h"
#include "nn/checkpoint.h"
#include "nn/inference.h"
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

// How many threads play a list of games that a network plays in, and how many at once in each.
struct Division {
  int threads = 1;
  int games_at_once = 1;
};
// On a CPU all threads, with 64 games at once at most. A device works best on full batches: there a
// thread has 64 games, where there are as many, and up to 128 where threads are few.
Division divide_games(int games, int threads, const std::string& device);

// The network as it plays on the device, in the precision asked for or, where none is, in the one
// that fastest_precision() measures. `batch`: the most positions it is asked about together.
nn::PlayingNetwork playing_network(const nn::NetworkFile& network, const std::string& device,
                                   int batch, std::optional<nn::Precision> precision = {},
                                   bool batch_invariant = false);

// Each player made has a copy of the network and one LibTorch thread. It plays the network's rule
// set alone. A precision that is not asked for is measured here.
PlayerFactory network_player(const nn::NetworkFile& network, const NetworkPlayerOptions& options);

}  // namespace arena
