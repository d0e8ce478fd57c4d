// The search's small parts: pool, bounds, sequential halving, evaluators.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <map>
#include <numeric>
#include <set>

#include "base/rng.h"
#include "mcts/bounds.h"
#include "mcts/gumbel.h"
#include "mcts/pool.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

const std::atomic<bool> kNever{false};

struct Block {
  Ref ref;
  std::size_t bytes;
  unsigned char mark;
};

void sweep(Pool& pool, const std::vector<Block>& live) {
  Pool::Marks marks(pool);
  std::size_t granules = 0;
  for (const Block& block : live) {
    marks.mark(block.ref, block.bytes);
    granules += (block.bytes + 15) / 16;
  }
  pool.sweep(marks, kNever);
  EXPECT_EQ(pool.used_bytes(), granules * 16);
}

TEST(Pool, BlocksNeverOverlapAndStayWithinTheBound) {
  constexpr std::size_t kBound = 256 << 10;
  Pool pool(kBound);
  base::Rng rng(3);
  std::vector<Block> blocks;
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    if (!blocks.empty() && rng.below(5) < 2) {
      const std::size_t k = rng.below(static_cast<std::uint32_t>(blocks.size()));
      const Block block = std::exchange(blocks[k], blocks.back());
      blocks.pop_back();
      for (std::size_t b = 0; b < block.bytes; ++b) {
        ASSERT_EQ(pool.at<unsigned char>(block.ref)[b], block.mark);
      }
      pool.release(block.ref, block.bytes);
      continue;
    }
    const std::size_t bytes = 4 + rng.below(i % 7 == 0 ? 2000 : 200);
    const Block block{pool.allocate(bytes), bytes, static_cast<unsigned char>(rng.next())};
    if (block.ref == 0) {
      ++refused;
      if (refused % 100 == 1) sweep(pool, blocks);
      continue;
    }
    ASSERT_GE(block.ref, Pool::kFirst);
    std::fill_n(pool.at<unsigned char>(block.ref), bytes, block.mark);
    blocks.push_back(block);
    ASSERT_LE(pool.used_bytes(), kBound);
  }
  EXPECT_GT(refused, 0u);
}

// As where a container has only so much.
TEST(Pool, WhatTheMachineHasNotIsTheBound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take address space of their own";
#endif
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  rlimit bound = before;
  bound.rlim_cur = std::size_t{512} << 20;
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &bound), 0);
  Pool pool(std::size_t{8} << 30);
  while (pool.allocate(8192) != 0) {
  }
  EXPECT_GT(pool.used_bytes(), std::size_t{64} << 20);
  EXPECT_LT(pool.max_bytes(), std::size_t{512} << 20) << "recycling goes by it";
  pool.clear();
  EXPECT_NE(pool.allocate(8192), 0u);
  setrlimit(RLIMIT_DATA, &before);
}

TEST(Pool, SweptPiecesServeLargerBlocks) {
  Pool pool(64 << 10);
  std::vector<Ref> small;
  while (const Ref ref = pool.allocate(16)) small.push_back(ref);
  for (const Ref ref : small) pool.release(ref, 16);
  EXPECT_EQ(pool.used_bytes(), 0u);
  EXPECT_EQ(pool.allocate(4096), 0u);
  sweep(pool, {});
  EXPECT_NE(pool.allocate(4096), 0u);
}

TEST(Prices, RankTheTableAndTurnTheViewpoint) {
  const Prices prices{rules::ScoringTable{}};
  EXPECT_EQ(prices.open(), Prices::between(0, 6));
  EXPECT_FLOAT_EQ(prices.value_white(rules::Outcome::kBlackStalemated), 0.6f);
  const Bounds stalemate = prices.exact(rules::Outcome::kWhiteStalemated);
  EXPECT_EQ(stalemate, Prices::between(1, 1));
  EXPECT_EQ(prices.seen_by(Prices::between(1, 4), rules::Color::kBlack), Prices::between(2, 5));
  EXPECT_EQ(prices.outcome_of(3), rules::Outcome::kImpasseEqual);
  rules::ScoringTable chess;
  chess.points_white = {0, 5, 5, 5, 5, 5, 10};
  EXPECT_EQ(Prices(chess).open(), Prices::between(0, 2));
  EXPECT_EQ(Prices(chess).exact(rules::Outcome::kBlackStalemated), Prices::between(1, 1));
}

TEST(Prices, AnOutcomeOfARankIsTheLikeliestOfThem) {
  const Prices chess(rules::kChess.table());  // all but wins are draws
  EXPECT_EQ(chess.outcome_of(0), rules::Outcome::kBlackWins);
  EXPECT_EQ(chess.outcome_of(1), rules::Outcome::kImpasseEqual);
  EXPECT_EQ(chess.outcome_of(2), rules::Outcome::kWhiteWins);
  const Prices stalemate_wins(rules::kStalemateWin.table());
  EXPECT_EQ(stalemate_wins.outcome_of(0), rules::Outcome::kBlackWins);
  EXPECT_EQ(stalemate_wins.outcome_of(2), rules::Outcome::kWhiteWins);
}

TEST(SequentialHalving, HalvesTheMovesAndSpendsAllSimulations) {
  for (const int actions : {1, 2, 3, 4, 7, 16, 40}) {
    for (const int simulations : {1, 2, 16, 50, 200, 801}) {
      const std::vector<int> plan = sequential_halving(actions, simulations);
      ASSERT_EQ(plan.size(), static_cast<std::size_t>(simulations));
      std::map<int, int> moves_with;  // how many moves got a visit when they had so many
      for (const int visits : plan) ++moves_with[visits];
      int last = actions;
      for (const auto& [visits, moves] : moves_with) {
        EXPECT_LE(moves, last) << actions << " " << simulations << " " << visits;
        last = moves;
      }
      EXPECT_EQ(moves_with[0], std::min(actions, simulations));
    }
  }
  // The paper's example in figure 1: 200 simulations, 16 moves.
  const std::vector<int> plan = sequential_halving(16, 200);
  EXPECT_EQ(std::count(plan.begin(), plan.end(), 0), 16);
  EXPECT_EQ(std::count(plan.begin(), plan.end(), 3), 8);
  EXPECT_EQ(std::count(plan.begin(), plan.end(), 9), 4);
  EXPECT_EQ(std::count(plan.begin(), plan.end(), 21), 2);
}

TEST(Evaluators, HashIsConsistentAndDeterministic) {
  LeafBatch batch;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const rules::Position position = random_position(seed, 20);
    rules::MoveList moves;
    position.surviving_moves(moves);
    static const rules::ScoringTable table;
    batch.add(position, table, moves);
  }
  HashEvaluator().evaluate(batch);
  const LeafBatch first = batch;
  HashEvaluator().evaluate(batch);
  EXPECT_EQ(first.priors, batch.priors);
  std::set<float> values;
  for (const Leaf& leaf : batch.leaves) {
    const auto priors = batch.priors_of(leaf);
    EXPECT_NEAR(std::accumulate(priors.begin(), priors.end(), 0.0), 1, 1e-5);
    double points = 0, sum = 0;
    for (std::size_t i = 0; i < leaf.evaluation.outcomes.size(); ++i) {
      sum += static_cast<double>(leaf.evaluation.outcomes[i]);
      points += static_cast<double>(leaf.evaluation.outcomes[i]) * leaf.table->points_white[i];
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_NEAR(rules::value_stm(points, leaf.position.side_to_move()),
                static_cast<double>(leaf.evaluation.value_stm), 1e-5);
    values.insert(leaf.evaluation.value_stm);
  }
  EXPECT_GT(values.size(), 15u);
  UniformEvaluator().evaluate(batch);
  for (const Leaf& leaf : batch.leaves) EXPECT_FLOAT_EQ(leaf.evaluation.value_stm, 0);
}

}  // namespace
}  // namespace mcts
