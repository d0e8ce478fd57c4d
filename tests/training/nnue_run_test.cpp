#include "training/run/nnue_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <vector>

#include "base/errors.h"
#include "nn/nnue_file.h"
#include "selfplay/game_store.h"
#include "tests/temporary_folder.h"
#include "training/run/metrics.h"
#include "training/run/run_lock.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

NnueRunConfig small() {
  NnueRunConfig config;
  config.nodes = 30;
  config.games = 12;
  config.batch = 64;
  config.reuse = 2;
  config.hold_out = 4;
  config.anneal_epochs = 0.5f;
  return config;
}

NnueRunOptions in(const fs::path& folder, int generations, int threads = 1) {
  NnueRunOptions options;
  options.folder = folder;
  options.generations = generations;
  options.threads = threads;
  return options;
}

TEST(NnueRun, DependsOnSeedAndConfigAndNotOnThreads) {
  const TemporaryFolder root;
  run_nnue(small(), in(root / "one", 3, 1));
  run_nnue(small(), in(root / "two", 3, 2));
  const auto one = nn::load_nnue(fs::path(root / "one") / nn::kNnueFile);
  const auto two = nn::load_nnue(fs::path(root / "two") / nn::kNnueFile);
  EXPECT_EQ(one.weights, two.weights);
  EXPECT_EQ(one.generation, 4) << "the last anneal counts as one";
  NnueRunOptions other = in(root / "other", 3);
  other.seed = 2;
  run_nnue(small(), other);
  EXPECT_NE(nn::load_nnue(other.folder / nn::kNnueFile).weights, one.weights);
}

TEST(NnueRun, LearnsAGameWithTwoQueensInReserveAndSaysSo) {
  const TemporaryFolder root;
  NnueRunOptions options = in(root / "run", 1);
  options.rules = rules::kChessDoubleSharp;
  run_nnue(small(), options);
  const auto learned = nn::load_nnue(options.folder / nn::kNnueFile);
  EXPECT_EQ(learned.repertoire.name(), "chess_double_sharp");
}

TEST(NnueRun, RefusesARunOfOtherRulesAndOneThatIsInUse) {
  const TemporaryFolder root;
  run_nnue(small(), in(root.path(), 1));
  NnueRunOptions other = in(root.path(), 2);
  other.rules = rules::kChess;
  EXPECT_THAT([&] { run_nnue(small(), other); },
              ThrowsMessage<base::InputError>(
                  HasSubstr("a run of the rule set chess_sharp, expected one of chess (--rules)")));
  fs::remove(root / nn::kNnueFile);  // its games alone tell the same
  EXPECT_THROW(run_nnue(small(), other), base::InputError);
  const base::FileLock lock = lock_run(root.path());
  EXPECT_THROW(run_nnue(small(), in(root.path(), 2)), base::EnvironmentError);
}

TEST(NnueRun, GoesOnWhereItStopped) {
  const TemporaryFolder root;
  run_nnue(small(), in(root.path(), 2));
  run_nnue(small(), in(root.path(), 5));
  const selfplay::GameStore store(root / "games.db", selfplay::StoreMode::kRead);
  std::vector<int> games(5);
  store.for_each({}, [&](const selfplay::GameRecord& game) {
    ++games.at(static_cast<std::size_t>(game.generation));
    return true;
  });
  EXPECT_EQ(games, (std::vector<int>{12, 12, 0, 12, 12})) << "the anneal counts as a generation";
  const auto records = read_metrics(root.path());
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records[1]["generation"], 2);
  EXPECT_GT(records[1]["positions"], 0);
  EXPECT_TRUE(records[1]["loss"].is_number());
}

TEST(NnueRun, AStopLeavesTheAnnealToAnotherStart) {
  const TemporaryFolder root;
  std::atomic<bool> stop = false;
  NnueRunOptions options = in(root.path(), 3);
  options.stop = &stop;
  options.progress = [&stop](const std::string&) { stop = true; };
  run_nnue(small(), options);
  EXPECT_EQ(nn::load_nnue(root / nn::kNnueFile).generation, 1);
  run_nnue(small(), in(root.path(), 3));
  EXPECT_EQ(nn::load_nnue(root / nn::kNnueFile).generation, 4);
  const auto records = read_metrics(root.path());
  ASSERT_EQ(records.size(), 4u);
  EXPECT_TRUE(records[2]["plies_mean"].is_number());
  EXPECT_TRUE(records[3]["plies_mean"].is_null()) << "the anneal plays no game";
}

// The moves of that generation's games.
std::vector<std::vector<rules::Move>> played(const fs::path& run, std::int64_t generation) {
  const selfplay::GameStore store(run / "games.db", selfplay::StoreMode::kRead);
  std::vector<std::vector<rules::Move>> games;
  store.for_each({}, [&](const selfplay::GameRecord& game) {
    if (game.generation != generation) return true;
    auto& moves = games.emplace_back();
    for (const selfplay::PlyRecord& ply : game.plies) moves.push_back(ply.played);
    return true;
  });
  return games;
}

TEST(NnueRun, AStopBeforeItLearnedAnythingLosesNothing) {
  const TemporaryFolder root;
  std::atomic<bool> stop = false;
  NnueRunOptions options = in(root / "stopped", 3);
  options.stop = &stop;
  options.progress = [&stop](const std::string&) { stop = true; };
  run_nnue(small(), options);
  run_nnue(small(), in(root / "stopped", 3));
  run_nnue(small(), in(root / "whole", 3));
  EXPECT_EQ(played(root / "stopped", 1), played(root / "whole", 1)) << "by material";
  const auto learned = nn::load_nnue(fs::path(root / "stopped") / nn::kNnueFile).weights;
  EXPECT_NE(learned.feature, nn::NnueFloatWeights{}.feature) << "from zeros none would move";
}

// So that a run can begin with another's network.
TEST(NnueRun, WithANetworkButWithoutGamesItPlaysByTheNetwork) {
  const TemporaryFolder root;
  run_nnue(small(), in(root / "run", 3));
  fs::create_directory(root / "other");
  fs::copy_file(fs::path(root / "run") / "checkpoints" / "000002" / nn::kNnueFile,
                fs::path(root / "other") / nn::kNnueFile);
  run_nnue(small(), in(root / "other", 3));
  const auto games = played(root / "run", 2);
  EXPECT_FALSE(games.empty());
  EXPECT_EQ(played(root / "other", 2), games);
}

TEST(NnueRun, ItsRecordsHoldWhatTheSearchExpects) {
  const TemporaryFolder root;
  run_nnue(small(), in(root.path(), 3));
  const selfplay::GameStore store(root / "games.db", selfplay::StoreMode::kRead);
  int lost_soon = 0;
  store.for_each({}, [&](const selfplay::GameRecord& game) {
    const auto positions = selfplay::replay(game);
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
      float sum = 0;
      double points = 0;
      for (std::size_t k = 0; k < rules::kOutcomes; ++k) {
        sum += game.plies[i].root_outcomes[k];
        points += static_cast<double>(game.plies[i].root_outcomes[k]) * game.table.points_white[k];
      }
      EXPECT_NEAR(sum, 1, 1e-3);
      // The value and the outcomes are of the same line and the same side.
      const double value = rules::value_stm(points, positions[i].side_to_move());
      if (std::abs(game.plies[i].root_value_stm) == 1) {
        EXPECT_NEAR(value, game.plies[i].root_value_stm, 1e-3);
        ++lost_soon;
      }
    }
    return true;
  });
  EXPECT_GT(lost_soon, 0);
}

}  // namespace
}  // namespace training
