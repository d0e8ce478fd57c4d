#include "arena/nnue_player.h"

#include <gtest/gtest.h>

#include "arena/match.h"
#include "tests/tactics/random_nnue.h"

namespace arena {
namespace {

PlayerFactory player(std::uint64_t nodes, int milliseconds = 0) {
  NnuePlayerOptions options;
  options.name = "nnue";
  options.nodes = nodes;
  options.move_time = std::chrono::milliseconds(milliseconds);
  options.hash_mib = 1;
  return [options, weights = tactics::random_nnue(1)] {
    return std::make_unique<NnuePlayer>(weights, options);
  };
}

TEST(NnuePlayer, PlaysTheSameGamesOnAnyNumberOfThreads) {
  MatchConfig config;
  config.games = 8;
  config.keep_games = true;
  const auto one = play_match(config, player(100), *baseline_player("greedy"));
  config.threads = 3;
  config.games_at_once = 2;
  const auto three = play_match(config, player(100), *baseline_player("greedy"));
  EXPECT_EQ(one.forfeits_a, 0);
  ASSERT_EQ(one.kept.size(), three.kept.size());
  for (std::size_t i = 0; i < one.kept.size(); ++i)
    EXPECT_EQ(one.kept[i].moves, three.kept[i].moves);
}

TEST(NnuePlayer, SearchBeatsChance) {
  MatchConfig config;
  config.games = 10;
  const auto result = play_match(config, player(300), *baseline_player("random"));
  EXPECT_GT(result.points().mean, 7) << "random weights, but it sees kings fall";
}

TEST(NnuePlayer, IsTimedWhereItHasATime) {
  EXPECT_TRUE(player(0, 10)()->timed());
  EXPECT_FALSE(player(10)()->timed());
}

}  // namespace
}  // namespace arena
