#pragma once
// One thread's walks in a tree: from walk to batch, from batch to backup.

#include <cstdint>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/root_policy.h"
#include "mcts/tree.h"

namespace mcts {

class Collector {
 public:
  struct Result {
    int appended = 0;
    WalkEnd end = WalkEnd::kLeaf;  // why it stopped; kLeaf: it has what was asked for
  };

  // Walks until the batch has `limit` more leaves, the way is blocked or full, or the root has
  // enough; at most `max_settled` walks end where no evaluator is needed, at exact ends or at
  // leaves in the batch's cache (then kSettled).
  Result collect(Tree& tree, const RootPolicy& policy, int limit, std::uint64_t max_settled,
                 LeafBatch& batch);
  // Makes the first visit of a root that is not expanded, with the batch's cache.
  void visit_root(Tree& tree, const RootPolicy& policy, Evaluator& evaluator, LeafBatch batch);
  // Expands and backs up leaves that it collected.
  void apply(Tree& tree, const LeafBatch& batch, std::size_t first, std::size_t count);
  // Length of the longest walk.
  int depth() const { return depth_; }

 private:
  std::vector<Walk> walks_;  // by ticket
  std::vector<std::uint32_t> free_;
  int depth_ = 0;
};

}  // namespace mcts
