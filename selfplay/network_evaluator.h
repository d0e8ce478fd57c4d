#pragma once
// The one adapter from the network (nn) to the search (mcts).

#include <array>
#include <cstddef>

#include "mcts/take_turns.h"
#include "nn/inference.h"
#include "tactics/lookahead.h"

namespace selfplay {

// Searches the leaves' tactics, encodes position and finding, runs the network, takes the softmax
// over the leaf's moves and values the seven outcomes by the leaf's own table. Owned and called by
// one thread.
class NetworkEvaluator final : public mcts::EvaluatorInTwoParts {
 public:
  explicit NetworkEvaluator(const nn::PlayingNetwork& network);
  // For a network that no other evaluator shares.
  NetworkEvaluator(const nn::NetworkConfig& config, const nn::Weights& weights,
                   const nn::InferenceOptions& options)
      : NetworkEvaluator(nn::PlayingNetwork(config, weights, options)) {}
  // A batch of more leaves than the network's max_batch is evaluated in parts, of which the last is
  // in flight; throws std::invalid_argument where another batch is.
  void start(mcts::LeafBatch& batch) override;
  void finish(mcts::LeafBatch& batch) override;
  int most_in_flight() const override { return inference_.most_in_flight(); }

 private:
  // The network's batch of some leaves, from `first` on.
  struct Flight {
    nn::Batch in;
    std::size_t first = 0;
  };
  void start_rows(mcts::LeafBatch& batch, std::size_t first, std::size_t count);

  int max_batch_;
  nn::Encoder encoder_;
  nn::Inference inference_;
  tactics::Lookahead lookahead_;
  std::size_t started_ = 0, finished_ = 0;  // flights so far
  std::array<Flight, 2> flights_;           // by their number modulo 2
  nn::Outputs out_;
};

}  // namespace selfplay
