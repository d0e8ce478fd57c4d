#pragma once
// A network that plays matches: SearchPlayer with the network's evaluator.

#include "mcts/search_config.h"
#include "nn/checkpoint.h"
#include "nn/inference.h"
#include "selfplay/player.h"

namespace selfplay {

struct NetworkPlayerOptions {
  std::string name = "network";
  mcts::SearchConfig search;
  int simulations = 64;  // a move
  nn::InferenceOptions inference;
};

// Each player made has its own copy of the network and one LibTorch thread.
PlayerFactory network_player(nn::NetworkFile network, const NetworkPlayerOptions& options);

}  // namespace selfplay
