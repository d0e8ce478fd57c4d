#include "studies/excitement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace studies {
namespace {

using rules::Position;
using testing::DoubleNear;
using testing::Optional;

// The course of a game of so many plies without a reserve, as White's points were expected.
GameCourse course(const std::vector<std::optional<double>>& expected, double points_white) {
  return course_of(std::vector<Position>(expected.size() + 1, Position::start(rules::kChess)),
                   expected, points_white);
}

TEST(Excitement, CountsWhoLedAndByHowMuchTheWinnerWasBehind) {
  // White leads, Black, (even: still Black), White, and wins.
  const GameCourse one = course({6, 4, 5, 3, 6, 8, 9, 10}, 10);
  EXPECT_EQ(one.lead_changes, 2);
  EXPECT_EQ(one.branching, 20);
  EXPECT_THAT(one.drama, Optional(DoubleNear((2.0 + 4.0) / 8, 1e-12)));
  EXPECT_THAT(one.worst, Optional(4.0));
  EXPECT_THAT(one.best, Optional(10.0));
  EXPECT_THAT(one.decided, Optional(3.0 / 8)) << "above Black's 7 from the sixth ply on";
  EXPECT_THAT(one.settled, Optional(4.0 / 8));
}

TEST(Excitement, ItIsTheSameSeenFromTheOtherSide) {
  const GameCourse white = course({6, 4, 5, 3, 6, 8, 9, 10}, 10);
  const GameCourse black = course({4, 6, 5, 7, 4, 2, 1, 0}, 0);
  EXPECT_EQ(white.lead_changes, black.lead_changes);
  EXPECT_EQ(white.drama, black.drama);
  EXPECT_EQ(white.worst, black.worst);
  EXPECT_EQ(white.best, black.best);
  EXPECT_EQ(white.decided, black.decided);
  EXPECT_EQ(white.settled, black.settled);
}

TEST(Excitement, AGameThatWasNeverAheadIsDecidedByItsEndAlone) {
  const GameCourse one = course({4, 3, 2}, 8);
  EXPECT_THAT(one.decided, Optional(0.0));
  EXPECT_THAT(one.settled, Optional(0.0));
  EXPECT_THAT(one.best, Optional(4.0));
}

TEST(Excitement, NobodyWinsAnEvenEndAndACardsPlyIsPassedOver) {
  const GameCourse even = course({6, 4}, 5);
  EXPECT_EQ(even.lead_changes, 1);
  EXPECT_FALSE(even.drama || even.worst || even.decided || even.settled || even.best);
  const GameCourse cards = course({6, std::nullopt, 6, std::nullopt}, 10);
  EXPECT_EQ(cards.lead_changes, 0);
  EXPECT_THAT(cards.decided, Optional(1.0));
}

TEST(Excitement, ItsFiguresAreTheSameOnAnyNumberOfThreads) {
  const MakeThinker hashed = tree_thinker([] { return std::make_unique<mcts::HashEvaluator>(); });
  SelfGamesConfig config;
  config.games = 40;
  config.simulations = 2;
  const TemporaryFolder folder;
  selfplay::GameStore store(folder / "games.db", selfplay::StoreMode::kWrite);
  const auto games = self_games(config, hashed, store, {}, false);
  const auto never = [] { return false; };
  const auto alone = words(excitement_figures(config, games, hashed, never));
  config.threads = 3;
  const auto together = words(excitement_figures(config, games, hashed, never));
  EXPECT_EQ(alone.json, together.json);
  EXPECT_EQ(alone.text, together.text);
  EXPECT_EQ(alone.json["games"], 40);
  EXPECT_GT(alone.json["lead_changes"]["mean"], 1) << "a hash leads now this side, now that one";
  EXPECT_GT(alone.json["branching"]["mean"], 10);
  EXPECT_THROW(excitement_figures(config, games, hashed, [] { return true; }), Stopped);
}

}  // namespace
}  // namespace studies
