#include "training/run/run_games.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/temporary_folder.h"
#include "tests/training/random_game.h"

namespace training {
namespace {

std::vector<selfplay::GameRecord> games(int count) {
  std::vector<selfplay::GameRecord> records;
  for (int i = 0; i < count; ++i) {
    records.push_back(random_game(static_cast<std::uint64_t>(i + 1)));
    records.back().generation = i / 10 + 1;
  }
  return records;
}

TEST(RunGames, BothWindowsAreReadBackAsTheyWere) {
  const TemporaryFolder folder;
  RunConfig config;
  config.learner.window_min = 100;
  config.learner.window_max = 1000;
  config.learner.hold_out = 4;
  RunGames before(config, folder.path());
  before.store().append(games(40));
  const std::int64_t last = before.store().last_id();
  for (selfplay::GameRecord& game : before.stored_after(0)) before.add(std::move(game));
  ASSERT_GT(before.held_out().size(), 2 * config.learner.window_min / config.learner.hold_out)
      << "it has grown";

  RunGames after(config, folder.path());
  after.restore(last, before.window().total(), before.held_out().total());
  for (const auto window : {&RunGames::window, &RunGames::held_out}) {
    EXPECT_EQ((after.*window)().games(), (before.*window)().games());
    EXPECT_EQ((after.*window)().size(), (before.*window)().size());
    EXPECT_EQ((after.*window)().total(), (before.*window)().total());
    EXPECT_EQ((after.*window)().capacity(), (before.*window)().capacity());
  }
}

// The newest games may be none of the validation games, as few are.
TEST(RunGames, ValidationGamesAreSoughtAsFarBackAsTheyAre) {
  const TemporaryFolder folder;
  RunConfig config;
  config.learner.window_min = config.learner.window_max = 40;
  config.learner.hold_out = 2;
  RunGames before(config, folder.path());
  auto mixed = games(16);
  std::stable_partition(mixed.begin(), mixed.end(),
                        [&](const auto& game) { return held_out(game, config.learner); });
  before.store().append(mixed);
  for (selfplay::GameRecord& game : before.store().load(1, 16)) before.add(std::move(game));
  ASSERT_GT(before.held_out().size(), 0);

  RunGames after(config, folder.path());
  after.restore(16, before.window().total(), before.held_out().total());
  EXPECT_EQ(after.held_out().total(), before.held_out().total());
  EXPECT_GT(after.held_out().size(), 0);
}

}  // namespace
}  // namespace training
