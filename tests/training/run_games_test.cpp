#include "training/store/run_games.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/temporary_folder.h"
#include "tests/training/random_game.h"
#include "training/learner/nnue_window.h"
#include "training/learner/replay_window.h"

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

// A run's games with their windows.
template <class Window>
struct Games {
  Games(const RunConfig& config, const std::filesystem::path& run)
      : window(config.learner),
        validation(validation_config(config.learner)),
        games(config, run, {run / selfplay::kGamesFile, selfplay::StoreMode::kWrite}, window,
              validation) {}

  // Learns from what was stored after that game.
  void take_in(std::int64_t last_game) {
    for (selfplay::GameRecord& game : games.stored_after(last_game)) games.add(std::move(game));
  }

  Window window, validation;
  RunGames games;
};

using NetworkGames = Games<ReplayWindow>;
using NnueGames = Games<NnueWindow>;

TEST(RunGames, BothWindowsAreReadBackAsTheyWere) {
  const TemporaryFolder folder;
  RunConfig config;
  config.learner.window_min = 100;
  config.learner.window_max = 1000;
  config.learner.hold_out = 4;
  NetworkGames before(config, folder.path());
  before.games.store().append(games(40));
  const std::int64_t last = before.games.store().last_id();
  before.take_in(0);
  ASSERT_GT(before.validation.size(), 2 * config.learner.window_min / config.learner.hold_out)
      << "it has grown";

  NetworkGames after(config, folder.path());
  after.games.restore(last, before.window.total(), before.validation.total());
  for (const auto window : {&NetworkGames::window, &NetworkGames::validation}) {
    EXPECT_EQ((after.*window).games(), (before.*window).games());
    EXPECT_EQ((after.*window).size(), (before.*window).size());
    EXPECT_EQ((after.*window).total(), (before.*window).total());
    EXPECT_EQ((after.*window).capacity(), (before.*window).capacity());
  }
}

// To the same rows in the same places: it is full, and the oldest generation is there in part.
TEST(RunGames, AnNnuesWindowIsReadBackAsItWas) {
  const TemporaryFolder folder;
  RunConfig config;
  config.learner.window_min = 100;
  config.learner.window_max = 700;
  config.learner.hold_out = 4;
  NnueGames before(config, folder.path());
  auto played = games(60);
  std::ranges::reverse(played);  // they are learned in another order than that of their ids
  std::ranges::stable_sort(played, {}, &selfplay::GameRecord::generation);
  before.games.store().append(played);
  before.take_in(0);
  ASSERT_GT(before.window.total(), 2 * before.window.size());

  NnueGames after(config, folder.path());
  after.games.restore(before.games.store().last_id(), before.window.total(),
                      before.validation.total());
  for (const auto window : {&NnueGames::window, &NnueGames::validation}) {
    EXPECT_EQ((after.*window).games(), (before.*window).games());
    ASSERT_EQ((after.*window).size(), (before.*window).size());
    NnueBatch one, two;
    base::Rng first(3), second(3);
    (before.*window).sample(500, first, one);
    (after.*window).sample(500, second, two);
    EXPECT_EQ(one.views[0].features, two.views[0].features);
    EXPECT_EQ(one.tables, two.tables);
    EXPECT_EQ(one.outcomes, two.outcomes);
  }
}

// The newest games may be none of the validation games, as few are.
TEST(RunGames, ValidationGamesAreSoughtAsFarBackAsTheyAre) {
  const TemporaryFolder folder;
  RunConfig config;
  config.learner.window_min = config.learner.window_max = 40;
  config.learner.hold_out = 2;
  NetworkGames before(config, folder.path());
  auto mixed = games(16);
  std::stable_partition(mixed.begin(), mixed.end(),
                        [&](const auto& game) { return is_validation_game(game, config.learner); });
  before.games.store().append(mixed);
  for (auto& game : before.games.store().load(1, 16)) before.games.add(std::move(game));
  ASSERT_GT(before.validation.size(), 0);

  NetworkGames after(config, folder.path());
  after.games.restore(16, before.window.total(), before.validation.total());
  EXPECT_EQ(after.validation.total(), before.validation.total());
  EXPECT_GT(after.validation.size(), 0);
}

}  // namespace
}  // namespace training
