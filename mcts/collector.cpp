#include "mcts/collector.h"

#include <algorithm>

#include "mcts/evaluation_cache.h"
#include "rules/move_list.h"

namespace mcts {
namespace {

// Finishes a walk whose leaf the cache knows.
bool finish_known(Tree& tree, const Walk& walk, const rules::Position& position,
                  const rules::MoveList& moves, const LeafBatch& batch) {
  if (batch.cache == nullptr) return false;
  const auto known = batch.cache->find(position, walk.occurrences, tree.table());
  if (!known) return false;
  tree.finish(walk, known->evaluation, moves, known->priors);
  return true;
}

}  // namespace

Collector::Result Collector::collect(Tree& tree, const RootPolicy& policy, int limit,
                                     std::uint64_t max_settled, LeafBatch& batch) {
  Result result;
  rules::Position position;
  rules::MoveList moves;
  for (std::uint64_t settled = 0; result.appended < limit && settled < max_settled;) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(walks_.size()));
      walks_.emplace_back();
    }
    const std::uint32_t ticket = free_.back();
    Walk& walk = walks_[ticket];
    result.end = tree.walk(policy, walk, position, moves);
    depth_ = std::max(depth_, static_cast<int>(walk.path.size()));
    if (result.end == WalkEnd::kLeaf && finish_known(tree, walk, position, moves, batch)) {
      result.end = WalkEnd::kSettled;
    }
    if (result.end == WalkEnd::kLeaf) {
      free_.pop_back();
      Leaf& leaf = batch.add(position, tree.table(), moves);
      leaf.ticket = ticket;
      leaf.lookahead = tree.config().lookahead;
      leaf.occurrences = walk.occurrences;
      ++result.appended;
    } else if (result.end == WalkEnd::kSettled) {
      ++settled;
    } else {
      break;
    }
  }
  return result;
}

void Collector::visit_root(Tree& tree, const RootPolicy& policy, Evaluator& evaluator,
                           LeafBatch batch) {
  collect(tree, policy, 1, 1, batch);
  evaluator.evaluate(batch);
  apply(tree, batch, 0, batch.leaves.size());
}

void Collector::apply(Tree& tree, const LeafBatch& batch, std::size_t first, std::size_t count) {
  for (const Leaf& leaf : std::span(batch.leaves).subspan(first, count)) {
    tree.finish(walks_[leaf.ticket], leaf.evaluation, batch.moves_of(leaf), batch.priors_of(leaf));
    if (batch.cache != nullptr) batch.cache->store(leaf, batch.priors_of(leaf));
    free_.push_back(leaf.ticket);
  }
}

}  // namespace mcts
