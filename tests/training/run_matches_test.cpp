#include "training/run/run_matches.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace training {
namespace {

class FinalMatchesPlan : public testing::Test {
 protected:
  FinalMatchesPlan() {
    config_.run.max_minutes = 5;
    config_.evaluation = {
        .every = 0, .games = 40, .final_games = 200, .final_share = 0.1, .simulations = 32};
  }
  FinalMatches plan(double evals_per_s) const {
    return plan_final_matches(config_, {{"evals_per_s", evals_per_s}, {"plies_mean", 150.0}});
  }

  RunConfig config_;
};

TEST_F(FinalMatchesPlan, HasAllGamesWhereThereIsTime) {
  const FinalMatches fast = plan(100000);
  EXPECT_EQ(fast.games, 200);
  EXPECT_LT(fast.seconds, 30);
  EXPECT_NEAR(plan(200000).seconds, fast.seconds / 2, 1e-9);
}

TEST_F(FinalMatchesPlan, StaysWithinItsShareOfTheRun) {
  const FinalMatches slow = plan(10000);
  EXPECT_LT(slow.games, 200);
  EXPECT_EQ(slow.games % 2, 0);
  EXPECT_LE(slow.seconds, 30);
  EXPECT_GT(slow.seconds, 25);
  // Against greedy and an earlier network as well, twice as much is to be played.
  config_.evaluation.every = 5;
  EXPECT_NEAR(plan(10000).games, slow.games / 2.0, 2);
}

TEST_F(FinalMatchesPlan, SaysSomethingAtAnySpeed) {
  EXPECT_EQ(plan(1).games, 20);
  config_.evaluation.final_games = 4;
  EXPECT_EQ(plan(1).games, 4);
  config_.evaluation.final_games = 0;
  EXPECT_EQ(plan(1).games, 0);
  EXPECT_EQ(plan(1).seconds, 0);
}

TEST_F(FinalMatchesPlan, IsNotLimitedWhereTheRunIsNot) {
  config_.run.max_minutes = 0;
  EXPECT_EQ(plan(1).games, 200);
  EXPECT_GT(plan(1).seconds, 1e5);
}

// The first generation, which has no network, measures no speed.
TEST_F(FinalMatchesPlan, TakesTheWholeShareWhereTheSpeedIsNotKnown) {
  for (const nlohmann::ordered_json& record :
       {nlohmann::ordered_json(nullptr),
        nlohmann::ordered_json{{"evals_per_s", nullptr}, {"plies_mean", 100.0}}}) {
    const FinalMatches unknown = plan_final_matches(config_, record);
    EXPECT_EQ(unknown.games, 200);
    EXPECT_EQ(unknown.seconds, 30);
  }
}

TEST(MatchesLeft, TrustsWhatWasExpectedUntilGamesHaveEnded) {
  EXPECT_NEAR(matches_left_s(1.0 / 400, 0.74, 25), 31, 1) << "one short game is over";
  EXPECT_NEAR(matches_left_s(0.5, 12.5, 25), 12.5, 1e-9) << "as expected";
  EXPECT_NEAR(matches_left_s(0.5, 50, 25), 43.75, 1e-9) << "slower than expected";
  EXPECT_EQ(matches_left_s(1, 25, 30), 0);
  EXPECT_NEAR(matches_left_s(0.25, 10, 0), 30, 1e-9) << "nothing was expected";
}

}  // namespace
}  // namespace training
