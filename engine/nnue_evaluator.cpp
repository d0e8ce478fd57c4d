#include "engine/nnue_evaluator.h"

namespace engine {

void NnueEvaluator::evaluate(mcts::LeafBatch& batch) {
  batch.priors.resize(batch.moves.size());
  for (mcts::Leaf& leaf : batch.leaves) {
    nnue_.set_table(*leaf.table);
    nnue_.start(leaf.position);
    leaf.expect(rules::outcomes_seen_by(nnue_.outcomes(), leaf.position.side_to_move()));
    leaf.evaluation.moves_left = 0;
    batch.make_moves_equally_likely(leaf);
  }
}

}  // namespace engine
