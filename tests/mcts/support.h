#pragma once
// What the search tests share: drivers and evaluators.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "mcts/collector.h"
#include "mcts/root_policy.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "tests/rules/random_position.h"

namespace mcts {

// Runs the search to its end, `batch_size` leaves at a time.
inline void run(Search& search, Evaluator& evaluator, int batch_size = 1) {
  LeafBatch batch;
  while (!search.done()) {
    batch.clear();
    const int count = search.collect(batch_size, batch);
    ASSERT_EQ(static_cast<std::size_t>(count), batch.leaves.size());
    if (count == 0) continue;
    evaluator.evaluate(batch);
    search.apply(batch, 0, batch.leaves.size());
  }
}

// Walks until the root has so many visits or is proven, `batch_size` leaves at a time.
inline void search(Tree& tree, Evaluator& evaluator, std::uint32_t visits, int batch_size = 4) {
  Collector collector;
  RootPolicy policy;
  base::Rng rng;
  LeafBatch batch;
  const auto round = [&] {
    batch.clear();
    const int appended = collector.collect(tree, policy, batch_size, 1000, batch).appended;
    evaluator.evaluate(batch);
    collector.apply(tree, batch, 0, batch.leaves.size());
    return appended > 0;
  };
  tree.set_visit_limit(visits);
  policy.prepare(tree, {}, rng);
  if (!tree.root().expanded()) round();
  policy.prepare(tree, {}, rng);
  const std::atomic<bool> never{false};
  while (!tree.enough(policy) && (round() || tree.needs_recycling())) {
    if (tree.needs_recycling()) tree.recycle(never);
  }
}

inline SearchConfig solving() {  // by PUCT
  SearchConfig config;
  config.gumbel = false;
  return config;
}
inline SearchConfig without_solver() {  // by PUCT; gumbel_scale as the golden trees have it
  SearchConfig config = solving();
  config.solver = false;
  config.gumbel_scale = 0.5f;
  return config;
}

inline Search make_search(const rules::Position& root,
                          const SearchConfig& config = without_solver(),
                          const rules::ScoringTable& table = {}, std::uint64_t seed = 1) {
  return Search(config, root, table, base::Rng(seed));
}

using rules::random_position;

inline int visits_of(const std::vector<RootMove>& moves, rules::Move move) {
  const auto it =
      std::find_if(moves.begin(), moves.end(), [&](const RootMove& m) { return m.move == move; });
  return it == moves.end() ? -1 : it->visits;
}

}  // namespace mcts
