#include "selfplay/network_evaluator.h"

#include <stdexcept>
#include <string>

namespace selfplay {
NetworkEvaluator::NetworkEvaluator(const nn::PlayingNetwork& network)
    : max_batch_(network.options().max_batch),
      encoder_(network.options().repertoire),
      inference_(network) {}

void NetworkEvaluator::start(mcts::LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  const auto rows = static_cast<std::size_t>(max_batch_);
  if (batch.leaves.size() > rows && started_ > finished_) {
    throw std::invalid_argument("network evaluator: a batch of " +
                                std::to_string(batch.leaves.size()) +
                                " leaves beside another, expected at most " + std::to_string(rows));
  }
  std::size_t first = 0;
  for (; batch.leaves.size() - first > rows; first += rows) {
    start_rows(batch, first, rows);
    finish(batch);
  }
  start_rows(batch, first, batch.leaves.size() - first);
}

void NetworkEvaluator::start_rows(mcts::LeafBatch& batch, std::size_t first, std::size_t count) {
  Flight& flight = flights_[started_++ % flights_.size()];
  flight.first = first;
  nn::Batch& in = flight.in;
  in.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const mcts::Leaf& leaf = batch.leaves[first + i];
    const std::span<const rules::Move> moves = batch.moves_of(leaf);
    const auto finding = lookahead_.find(leaf.position, *leaf.table, moves, leaf.lookahead);
    in.add(encoder_, leaf.position, leaf.occurrences, *leaf.table, finding, moves);
  }
  inference_.start(in);
}

void NetworkEvaluator::finish(mcts::LeafBatch& batch) {
  const auto& [in, first] = flights_[finished_++ % flights_.size()];
  inference_.finish(out_);
  for (std::size_t i = 0; i < in.positions.size(); ++i) {
    mcts::Leaf& leaf = batch.leaves[first + i];
    const std::span logits(out_.policy_logits.data() + in.policy_begin[i], leaf.move_count);
    nn::softmax(logits, batch.priors_of(leaf));
    // The network's outcomes are the side to move's (loses … wins), the search's White's.
    leaf.expect(rules::outcomes_seen_by(out_.outcomes[i], leaf.position.side_to_move()));
    leaf.evaluation.moves_left = out_.moves_left[i];
  }
}

}  // namespace selfplay
