#pragma once
// An NNUE where an evaluator of leaves is asked for.

#include <memory>

#include "mcts/evaluator.h"
#include "tactics/nnue.h"

namespace engine {

// The NNUE's outcomes, every move equally likely. Owned and called by one thread.
class NnueEvaluator final : public mcts::Evaluator {
 public:
  explicit NnueEvaluator(std::shared_ptr<const tactics::NnueWeights> weights)
      : nnue_(std::move(weights)) {}
  void evaluate(mcts::LeafBatch& batch) override;

 private:
  tactics::Nnue nnue_;
};

}  // namespace engine
