#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "mcts/evaluator.h"
#include "selfplay/generate.h"
#include "training/bench/training_bench.h"

namespace training {
namespace {

BenchSettings tiny_bench() {
  BenchSettings settings;
  settings.config = load_config(std::filesystem::path(SHARPZERO_CONFIGS) / "tiny.toml");
  settings.threads = 2;
  settings.seconds = 0.2;
  settings.games = settings.config.selfplay.games;
  return settings;
}

// The first to end are the short ones: their mean length is not that of all.
TEST(Bench, TheGamesThatStandForARunAreThoseThatWereBegun) {
  const BenchSettings settings = tiny_bench();
  const RunConfig& config = settings.config;
  std::set<std::uint64_t> begun;
  for (const auto& worker : selfplay::make_workers(
           {config.selfplay, config.search, config.rules.repertoire(), scoring_table(config)},
           settings.threads, 1)) {
    mcts::UniformEvaluator evaluator;
    const std::atomic<bool> stop = true;
    worker->play(evaluator, {}, 0, stop, [](std::int64_t, const selfplay::GameRecord&) {});
    for (const auto& seat : worker->in_flight()) begun.insert(seat.game.seed);
  }
  std::set<std::uint64_t> played;
  for (const auto& game : untrained_games(settings)) {
    played.insert(game.seed);
    EXPECT_EQ(selfplay::replay(game).back().outcome(game.table), game.outcome);
  }
  EXPECT_EQ(played, begun);
}

TEST(Bench, GamesAnHourAreMovesByTheMeanLengthOfAllGames) {
  const BenchSettings settings = tiny_bench();
  double plies = 0;
  const auto games = untrained_games(settings);
  for (const auto& game : games) plies += static_cast<double>(game.plies.size());
  const double mean = plies / static_cast<double>(games.size());
  const SelfPlaySpeed speed = bench_selfplay(settings);
  EXPECT_GT(speed.moves_per_s, 0);
  EXPECT_NEAR(speed.games_per_h * mean / (3600 * speed.moves_per_s), 1, 1e-9);
  EXPECT_GT(speed.efficiency, 0);
}

}  // namespace
}  // namespace training
