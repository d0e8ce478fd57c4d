#include "engine/nnue_evaluator.h"

#include <algorithm>

namespace engine {

void NnueEvaluator::evaluate(mcts::LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  for (mcts::Leaf& leaf : batch.leaves) {
    const rules::Color mover = leaf.position.side_to_move();
    nnue_.set_table(*leaf.table);
    nnue_.start(leaf.position);
    leaf.evaluation.outcomes = rules::outcomes_seen_by(nnue_.outcomes(), mover);
    leaf.evaluation.value_stm = static_cast<float>(
        rules::value_stm(leaf.table->white_points(leaf.evaluation.outcomes), mover));
    leaf.evaluation.moves_left = 0;
    std::ranges::fill(batch.priors_of(leaf), 1.0f / static_cast<float>(leaf.move_count));
  }
}

}  // namespace engine
