#include "selfplay/network_evaluator.h"

#include <algorithm>

namespace selfplay {
namespace {

// The network's outcomes are the side to move's (loses … wins), the search's White's.
mcts::Evaluation evaluation_of(const nn::Outputs& outputs, std::size_t row,
                               const rules::ScoringTable& table, rules::Color side_to_move) {
  mcts::Evaluation evaluation;
  evaluation.moves_left = outputs.moves_left[row];
  evaluation.outcomes = rules::outcomes_seen_by(outputs.outcomes[row], side_to_move);
  evaluation.value_stm =
      static_cast<float>(rules::value_stm(table.white_points(evaluation.outcomes), side_to_move));
  return evaluation;
}

}  // namespace

NetworkEvaluator::NetworkEvaluator(const nn::PlayingNetwork& network)
    : max_batch_(network.options().max_batch),
      encoder_(network.options().repertoire),
      inference_(network) {}

void NetworkEvaluator::evaluate(mcts::LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  const auto rows = static_cast<std::size_t>(max_batch_);
  for (std::size_t first = 0; first < batch.leaves.size(); first += rows) {
    evaluate_rows(batch, first, std::min(rows, batch.leaves.size() - first));
  }
}

void NetworkEvaluator::evaluate_rows(mcts::LeafBatch& batch, std::size_t first, std::size_t count) {
  in_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const mcts::Leaf& leaf = batch.leaves[first + i];
    const std::span<const rules::Move> moves = batch.moves_of(leaf);
    const auto finding =
        tactics::find_tactics(lookahead_, leaf.position, *leaf.table, moves, leaf.lookahead);
    in_.add(encoder_, leaf.position, leaf.occurrences, *leaf.table, finding, moves);
  }
  inference_.run(in_, out_);
  for (std::size_t i = 0; i < count; ++i) {
    mcts::Leaf& leaf = batch.leaves[first + i];
    const std::span logits(out_.policy_logits.data() + in_.policy_begin[i], leaf.move_count);
    nn::softmax(logits, batch.priors_of(leaf));
    leaf.evaluation = evaluation_of(out_, i, *leaf.table, leaf.position.side_to_move());
  }
}

}  // namespace selfplay
