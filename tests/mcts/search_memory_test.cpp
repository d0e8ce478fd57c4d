#include <gtest/gtest.h>

#include "mcts/search.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

TEST(Search, GoesOnWithinItsMemoryBound) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.max_tree_mib = 1;
  Search search = make_search(Position::start(), config);
  search.start({.nodes = 30000});
  run(search, evaluator, 8);
  EXPECT_EQ(search.visits(), 30000);
  EXPECT_LE(search.tree().used_bytes(), std::size_t{1} << 20);
  int sum = 1;
  for (const RootMove& m : search.root_moves()) sum += m.visits;
  EXPECT_EQ(sum, 30000);
  for (int ply = 0; ply < 6; ++ply) {
    search.advance(search.choose(0));
    search.start({.nodes = 8000});
    run(search, evaluator);
    EXPECT_LE(search.tree().used_bytes(), std::size_t{1} << 20);
  }
}

// Spreads its walks as widely as it can.
SearchConfig spreading() {
  SearchConfig config = without_solver();
  config.c_puct = 100;
  return config;
}

// Then nothing can be forgotten until evaluations come back.
TEST(Search, CollectsNoMoreWhereTheLeavesInFlightFillItsMemory) {
  UniformEvaluator evaluator;
  SearchConfig config = spreading();
  config.max_tree_mib = 1;
  Search search = make_search(Position::start(), config);
  search.start({.nodes = 1500});
  run(search, evaluator);
  search.start({.nodes = 40000});
  LeafBatch batch;
  const int count = search.collect(30000, batch);
  EXPECT_LT(count, 30000);
  EXPECT_GT(search.tree().used_bytes(), std::size_t{3} << 18);
  EXPECT_EQ(search.collect(1, batch), 0);
  evaluator.evaluate(batch);
  search.apply(batch, 0, batch.leaves.size());
  run(search, evaluator, 8);
  EXPECT_EQ(search.visits(), 40000);
}

// Knows nothing but a favourite among the moves of the start.
class FavouringEvaluator final : public Evaluator {
 public:
  void evaluate(LeafBatch& batch) override {
    UniformEvaluator().evaluate(batch);
    for (Leaf& leaf : batch.leaves) {
      if (leaf.position == Position::start()) batch.priors_of(leaf)[0] = 1000;
    }
  }
};

// The favourite's edge counts nearly all walks.
TEST(Tree, HasNoMoreWalksInFlightThanAnEdgeCounts) {
  FavouringEvaluator evaluator;
  Tree tree(spreading(), Position::start(), {});
  search(tree, evaluator, 40000);
  tree.set_visit_limit(1000000);
  RootPolicy policy;
  base::Rng rng;
  policy.prepare(tree, {}, rng);
  Collector collector;
  LeafBatch batch;
  const int count = collector.collect(tree, policy, 70000, 1000000, batch).appended;
  int in_flight = 0;
  for (const Edge& edge : tree.edges(tree.root())) in_flight += edge.in_flight;
  EXPECT_EQ(in_flight, count);
  EXPECT_EQ(count, 65535);
}

TEST(Search, AdvanceGivesTheOtherSubtreesBack) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  std::size_t most = 0;
  for (int ply = 0; ply < 40; ++ply) {
    search.start({.nodes = 400});
    run(search, evaluator);
    most = std::max(most, search.tree().used_bytes());
    const rules::Move move = search.choose(0);
    if (search.root().after(move).outcome({})) break;
    search.advance(move);
  }
  EXPECT_LT(most, std::size_t{400} * 1500);
}

}  // namespace
}  // namespace mcts
