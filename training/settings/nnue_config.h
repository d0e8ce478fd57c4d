#pragma once
// The settings of a run that trains an NNUE. Includes no LibTorch.

#include <vector>

#include "selfplay/selfplay_config.h"
#include "training/settings/options.h"

namespace training {

struct NnueRunConfig {
  int nodes = 1000;
  int games = 1500;
  float reuse = 6.0f;
  int batch = 2048;
  int window = 8000000;
  float learning_rate = 2e-3f;
  float anneal_epochs = 3.0f;
  int hold_out = 64;
  float search_value_share = 0.7f;
  float search_value_plies = 6.0f;

  template <class Visitor>
  void visit(Visitor&& v) {
    v("nodes", nodes, 1, 100000000, "nodes a move");
    v("games", games, 1, 10000000, "games a generation");
    v("reuse", reuse, 0.01f, 1000.0f,
      "how often a new position is learned from, on average, before the last anneal");
    v("batch", batch, 8, 1048576, "positions a step");
    v("window", window, 1, 100000000, "positions that are learned from: the newest");
    v("learning_rate", learning_rate, 1e-7f, 1.0f,
      "Adam's rate; it falls to zero in the last anneal");
    v("anneal_epochs", anneal_epochs, 0.0f, 1000.0f,
      "how often the last anneal goes through the window");
    v("hold_out", hold_out, 0, 1000000,
      "one game in so many is not learned from but measures overfitting; 0: none");
    v("search_value_share", search_value_share, 0.0f, 1.0f,
      "fraction of the searches' outcomes in the target; the rest is the game's end");
    v("search_value_plies", search_value_plies, 0.0f, 1000.0f,
      "mean distance of the later searches that are averaged");
  }
};

// The keys of the config, as [nnue], and those of [selfplay] that say how its games begin and under
// which tables they are played. Both must outlive the options.
std::vector<Option> nnue_options(NnueRunConfig& config, selfplay::SelfPlayConfig& openings);

}  // namespace training
