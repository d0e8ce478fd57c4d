#include "mcts/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

// Plies of random play, without losing the king at once where it can be helped.
Position random_position(std::uint64_t seed, int plies) {
  rules::Rng rng(seed);
  Position position = Position::start();
  for (int i = 0; i < plies; ++i) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty()) break;
    const Position next = position.after(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    if (next.outcome({})) break;
    position = next;
  }
  return position;
}

TEST(Search, VisitsTheRootAsOftenAsAsked) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  search.start({.simulations = 200});
  run(search, evaluator);
  EXPECT_EQ(search.visits(), 200);
  const auto moves = search.root_moves();
  const int sum = std::accumulate(moves.begin(), moves.end(), 0,
                                  [](int n, const RootMove& m) { return n + m.visits; });
  EXPECT_EQ(sum, 199);  // the first visit is the root's own
}

TEST(Search, ReportsEveryLegalMoveBestFirst) {
  HashEvaluator evaluator;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Position position = random_position(seed, 40);
    if (position.outcome({})) continue;
    Search search = make_search(position);
    search.start({.simulations = 64});
    run(search, evaluator);
    const auto moves = search.root_moves();
    EXPECT_EQ(moves.size(), position.legal_moves().size()) << position.to_fen();
    EXPECT_EQ(moves.front().move, search.choose(0)) << position.to_fen();
  }
}

TEST(Search, TargetSumsToOneAndValueAgreesWithOutcomes) {
  HashEvaluator evaluator;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Position position = random_position(seed, 30);
    if (position.outcome({})) continue;
    Search search = make_search(position);
    search.start({.simulations = 100, .explore = true});
    run(search, evaluator);
    const PolicyTarget target = search.policy_target();
    double sum = 0;
    for (const MoveWeight& w : target.weights) {
      EXPECT_GT(w.weight, 0);
      sum += static_cast<double>(w.weight);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    double points = 0;
    for (std::size_t i = 0; i < target.outcomes.size(); ++i) {
      points += static_cast<double>(target.outcomes[i]) * search.table().points_white[i];
    }
    EXPECT_NEAR(rules::value_stm(points, position.side_to_move()), static_cast<double>(target.value_stm),
                1e-4);
  }
}

TEST(Search, KeepsTheSubtreeOfTheMovePlayed) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  search.start({.simulations = 300});
  run(search, evaluator);
  const RootMove best = search.root_moves().front();
  search.advance(best.move);
  EXPECT_EQ(search.root(), Position::start().after(best.move));
  EXPECT_EQ(search.visits(), best.visits);
  EXPECT_FLOAT_EQ(search.value_stm(), -best.value_stm);
  search.start({.simulations = 300});
  run(search, evaluator);
  EXPECT_EQ(search.visits(), 300);
}

TEST(Search, PlaysWholeGamesWithNoise) {
  HashEvaluator evaluator;
  for (const bool gumbel : {false, true}) {
    SearchConfig config;
    config.gumbel = gumbel;
    Search search = make_search(Position::start(), config);
    for (int ply = 0; ply < 400; ++ply) {
      search.start({.simulations = 24, .explore = true});
      run(search, evaluator, 4);
      const rules::Move move = search.choose(1);
      ASSERT_TRUE(search.root().is_legal(move));
      if (search.root().after(move).outcome(search.table())) break;
      search.advance(move);
    }
    EXPECT_GT(search.root().fullmove_number(), 3);
  }
}

TEST(Search, SameSeedSameTree) {
  HashEvaluator evaluator;
  for (const bool gumbel : {false, true}) {
    SearchConfig config;
    config.gumbel = gumbel;
    std::vector<int> visits[2];
    for (auto& v : visits) {
      Search search = make_search(Position::start(), config, {}, 7);
      search.start({.simulations = 200, .explore = true});
      run(search, evaluator);
      for (const RootMove& m : search.root_moves()) v.push_back(m.visits);
    }
    EXPECT_EQ(visits[0], visits[1]);
  }
}

}  // namespace
}  // namespace mcts
