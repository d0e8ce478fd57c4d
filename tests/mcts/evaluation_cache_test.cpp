#include "mcts/evaluation_cache.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;
using rules::ScoringTable;

// A leaf of the position in a batch of its own, evaluated.
LeafBatch evaluated(const Position& position, const ScoringTable& table) {
  rules::MoveList moves;
  position.surviving_moves(moves);
  LeafBatch batch;
  batch.add(position, table, moves);
  HashEvaluator().evaluate(batch);
  return batch;
}

void store(EvaluationCache& cache, const Position& position, const ScoringTable& table) {
  const LeafBatch batch = evaluated(position, table);
  cache.store(batch.leaves[0], batch.priors);
}

void expect_right(const EvaluationCache::Hit& hit, const Position& position,
                  const ScoringTable& table) {
  const LeafBatch batch = evaluated(position, table);
  EXPECT_EQ(hit.evaluation.value_stm, batch.leaves[0].evaluation.value_stm);
  EXPECT_EQ(hit.evaluation.moves_left, batch.leaves[0].evaluation.moves_left);
  EXPECT_EQ(hit.evaluation.outcomes, batch.leaves[0].evaluation.outcomes);
  EXPECT_THAT(hit.priors, testing::ElementsAreArray(batch.priors));
}

TEST(EvaluationCache, KnowsAPositionByAllThatCountsAndTheTable) {
  const std::string board = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[QRRBBNNqrrbbnn] w - - ";
  const ScoringTable official, other = ScoringTable::from_changes("impasse_equal=4.9");
  EvaluationCache cache(1);
  EXPECT_FALSE(cache.find(Position::from_fen(board + "2 9"), 1, official));
  store(cache, Position::from_fen(board + "2 9"), official);
  const auto hit = cache.find(Position::from_fen(board + "2 9"), 1, official);
  ASSERT_TRUE(hit);
  expect_right(*hit, Position::from_fen(board + "2 9"), official);
  EXPECT_TRUE(cache.find(Position::from_fen(board + "2 31"), 1, official))
      << "only the move's number";
  EXPECT_FALSE(cache.find(Position::from_fen(board + "3 9"), 1, official)) << "another clock";
  EXPECT_FALSE(cache.find(Position::from_fen(board + "2 9"), 1, other)) << "another table";
  EXPECT_FALSE(cache.find(Position::from_fen(board + "2 9"), 2, official)) << "seen before";
  cache.clear();
  EXPECT_FALSE(cache.find(Position::from_fen(board + "2 9"), 1, official));
  EvaluationCache none(0);
  store(none, Position::start(), official);
  EXPECT_FALSE(none.find(Position::start(), 1, official));
}

// Many times what fits: whatever is found is right, and the newest are there.
TEST(EvaluationCache, TheNewestTakeTheOldestsPlace) {
  const ScoringTable table;
  EvaluationCache cache(1);
  std::vector<Position> stored;
  for (std::uint64_t seed = 0; stored.size() < 20000; ++seed) {
    stored.push_back(random_position(seed, 4 + static_cast<int>(seed % 90)));
    rules::MoveList moves;
    stored.back().surviving_moves(moves);
    if (moves.empty()) {
      stored.pop_back();
      continue;
    }
    store(cache, stored.back(), table);
  }
  std::size_t found = 0, found_of_newest = 0;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const auto hit = cache.find(stored[i], 1, table);
    if (!hit) continue;
    expect_right(*hit, stored[i], table);
    ++found;
    found_of_newest += i + 1000 >= stored.size() ? 1 : 0;
  }
  EXPECT_GT(found_of_newest, 800u);
  EXPECT_LT(found, 10000u) << "that is more than a MiB";
}

class Counting final : public Evaluator {
 public:
  void evaluate(LeafBatch& batch) override {
    evaluations += static_cast<int>(batch.leaves.size());
    inner_.evaluate(batch);
  }
  int evaluations = 0;

 private:
  HashEvaluator inner_;
};

void run_with(Search& search, Evaluator& evaluator, EvaluationCache* cache) {
  LeafBatch batch{.cache = cache};
  while (!search.done()) {
    batch.clear();
    if (search.collect(1, batch) == 0) continue;
    evaluator.evaluate(batch);
    search.apply(batch, 0, batch.leaves.size());
  }
}

// Transpositions and a second search cost fewer evaluations and change nothing else.
TEST(EvaluationCache, ASearchIsTheSameWithAndWithout) {
  for (const bool gumbel : {false, true}) {
    SearchConfig config;
    config.gumbel = gumbel;
    config.gumbel_scale = 0.5f;  // wide enough to meet transpositions
    EvaluationCache cache(16);
    Counting plain, cached, again;
    const Position root = random_position(3, 12);
    const auto visits = [&](Evaluator& evaluator, EvaluationCache* with) {
      Search search = make_search(root, config);
      search.start({.nodes = 3000, .explore = true});
      run_with(search, evaluator, with);
      std::vector<int> all;
      for (const RootMove& move : search.root_moves()) all.push_back(move.visits);
      return all;
    };
    const auto expected = visits(plain, nullptr);
    EXPECT_EQ(visits(cached, &cache), expected);
    EXPECT_LT(cached.evaluations, plain.evaluations);
    EXPECT_EQ(visits(again, &cache), expected);
    EXPECT_LT(again.evaluations, plain.evaluations / 100) << "a few lost their place in the index";
  }
}

TEST(Search, StopsAtItsEvaluations) {
  Counting evaluator;
  Search search = make_search(Position::start());
  for (int move = 1; move <= 3; ++move) {
    search.start({.nodes = 1000, .evaluations = 20});
    run_with(search, evaluator, nullptr);
    EXPECT_EQ(evaluator.evaluations, 20 * move);
    search.advance(search.choose(0));
  }
}

}  // namespace
}  // namespace mcts
