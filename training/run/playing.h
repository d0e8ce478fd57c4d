#pragma once
// How a run's network plays training games: on the machine that learns, and on its actors.

#include <functional>
#include <memory>
#include <string>

#include "mcts/evaluator.h"
#include "nn/checkpoint.h"
#include "nn/precision.h"

namespace training {

// Whether the network has learned anything: an untrained one is indifferent (nn::NetworkImpl).
bool has_learned(const nn::NetworkFile& network);

struct PlayingTerms {
  std::string device;
  nn::Precision precision = nn::Precision::kFloat32;
  int most_at_once = 1;  // games in flight of one worker
};

// Returns what makes each worker's evaluator. An untrained network answers as the uniform evaluator
// does at no cost: so that plays in its place. Throws nn::CheckpointError where the weights do not
// fit the network's config.
std::function<std::unique_ptr<mcts::Evaluator>()> evaluators_of(const nn::NetworkFile& network,
                                                                const PlayingTerms& terms);

}  // namespace training
