#include "selfplay/adjudication.h"

#include <gtest/gtest.h>

#include "selfplay/worker.h"

namespace selfplay {
namespace {

using rules::Outcome;

// A game whose searches saw these chances for White and for an impasse; the rest is Black's.
GameRecord seen(const std::vector<std::pair<float, float>>& chances) {
  GameRecord game;
  rules::Position position = rules::Position::start();
  game.start_fen = position.to_fen();
  for (const auto& [white, impasse] : chances) {
    PlyRecord& ply = game.plies.emplace_back();
    ply.played = position.legal_moves()[0];
    ply.root_outcomes = {1 - white - impasse, 0, impasse / 2, impasse / 4, impasse / 4, 0, white};
    position.play(ply.played);
  }
  return game;
}

SelfPlayConfig config() {
  SelfPlayConfig config;
  config.resign_bar = 0.95f;
  config.fast_fifty_bar = 0.9f;
  config.adjudication_plies = 4;
  return config;
}

TEST(Adjudication, NeedsEverySearchOfTheLastPliesToAgree) {
  const auto won = seen({{.5f, 0}, {.96f, 0}, {.97f, 0}, {.99f, 0}, {.95f, 0}, {.99f, 0}});
  EXPECT_EQ(first_verdict(won, config()), (Verdict{Outcome::kWhiteWins, Ended::kResignation}));
  EXPECT_EQ(first_verdict(seen({{.96f, 0}, {.97f, 0}, {.9f, 0}, {.96f, 0}, {.99f, 0}}), config()),
            std::nullopt);
  const auto lost = seen({{.01f, 0}, {.02f, 0}, {.01f, 0}, {0, 0}, {0, 0}});
  EXPECT_EQ(first_verdict(lost, config()), (Verdict{Outcome::kBlackWins, Ended::kResignation}));
}

TEST(Adjudication, AFastFiftyIsDecidedByMaterial) {
  const auto drawn = seen({{0, .95f}, {.05f, .95f}, {0, 1}, {.1f, .9f}, {0, .95f}});
  EXPECT_EQ(first_verdict(drawn, config()), (Verdict{Outcome::kImpasseEqual, Ended::kFastFifty}));
  const auto black_more = rules::Position::from_fen("4k2r/8/8/8/8/8/8/4K3[] w - - 40 60");
  EXPECT_EQ(verdict_on(drawn, 4, black_more, config())->outcome, Outcome::kImpasseBlackMore);
}

TEST(Adjudication, IsOffAtABarOfZero) {
  SelfPlayConfig off = config();
  off.resign_bar = off.fast_fifty_bar = 0;
  EXPECT_EQ(first_verdict(seen({{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}), off), std::nullopt);
}

// Sees a win for White wherever it looks: half of the verdicts are false.
class Believer final : public mcts::Evaluator {
 public:
  void evaluate(mcts::LeafBatch& batch) override {
    mcts::HashEvaluator(1).evaluate(batch);
    for (mcts::Leaf& leaf : batch.leaves) leaf.evaluation.outcomes = {0, 0, 0, 0, 0, 0, 1};
  }
};

WorkerStats play(bool adjudicating, std::vector<GameRecord>& games) {
  WorkerSetup setup;
  setup.config = config();
  setup.config.games = 8;
  setup.config.simulations = 4;
  setup.config.fast_simulations = 2;
  setup.config.play_through_share = 0.25f;
  SelfPlayWorker worker(setup, base::Rng(3));
  worker.adjudicate(adjudicating);
  Believer evaluator;
  const std::atomic<bool> stop = false;
  return worker.play(evaluator, {.plies = 1500}, 1, stop,
                     [&](std::int64_t, GameRecord game) { games.push_back(std::move(game)); });
}

TEST(Adjudication, EndsGamesButThoseThatTestIt) {
  std::vector<GameRecord> games;
  const WorkerStats stats = play(true, games);
  ASSERT_GT(stats.games, 30);
  EXPECT_GT(stats.adjudicated, stats.games / 2);
  EXPECT_GT(stats.verdicts, 0);
  EXPECT_GT(stats.false_verdicts, 0);
  EXPECT_LT(stats.false_verdicts, stats.verdicts);
  for (const GameRecord& game : games) {
    if (game.ended == Ended::kRules) continue;
    EXPECT_EQ(game.outcome, Outcome::kWhiteWins);
    EXPECT_EQ(game.plies.size(), 4U);
  }
}

TEST(Adjudication, PlaysEveryGameThroughUntilItIsTrusted) {
  std::vector<GameRecord> games;
  const WorkerStats stats = play(false, games);
  EXPECT_EQ(stats.adjudicated, 0);
  EXPECT_EQ(stats.verdicts, stats.games);
  EXPECT_GT(stats.false_verdicts, stats.games / 5);
}

}  // namespace
}  // namespace selfplay
