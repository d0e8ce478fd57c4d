#pragma once
// The one adapter from the network (nn) to the search (mcts).

#include "mcts/evaluator.h"
#include "nn/inference.h"
#include "tactics/lookahead.h"

namespace selfplay {

// Searches the leaves' tactics, encodes position and finding, runs the network, takes the softmax
// over the leaf's moves and values the seven outcomes by the leaf's own table. Owned and called by
// one thread.
class NetworkEvaluator final : public mcts::Evaluator {
 public:
  explicit NetworkEvaluator(const nn::PlayingNetwork& network);
  // For a network that no other evaluator shares.
  NetworkEvaluator(const nn::NetworkConfig& config, const nn::Weights& weights,
                   const nn::InferenceOptions& options)
      : NetworkEvaluator(nn::PlayingNetwork(config, weights, options)) {}
  void evaluate(mcts::LeafBatch& batch) override;

 private:
  void evaluate_rows(mcts::LeafBatch& batch, std::size_t first, std::size_t count);

  int max_batch_;
  nn::Encoder encoder_;
  nn::Inference inference_;
  tactics::Lookahead lookahead_;
  nn::Batch in_;
  nn::Outputs out_;
};

}  // namespace selfplay
