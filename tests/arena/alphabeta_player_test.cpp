#include "arena/alphabeta_player.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "arena/match.h"
#include "base/memory.h"
#include "rules/notation.h"
#include "tests/tactics/random_nnue.h"

namespace arena {
namespace {

PlayerFactory player(std::uint64_t nodes, int milliseconds = 0) {
  AlphaBetaPlayerOptions options;
  options.name = "nnue";
  options.limits.nodes = nodes;
  if (milliseconds > 0) options.limits.move_time_ms = milliseconds;
  options.hash_mib = 1;
  return [options, weights = tactics::random_nnue(1)] {
    return std::make_unique<AlphaBetaPlayer>(weights, options);
  };
}

TEST(AlphaBetaPlayer, PlaysTheSameGamesOnAnyNumberOfThreads) {
  for (const PlayerFactory& each : {player(100), *baseline_player("alphabeta:2")}) {
    MatchConfig config;
    config.games = 8;
    config.keep_games = true;
    const auto one = play_match(config, each, *baseline_player("greedy"));
    config.threads = 3;
    config.games_at_once = 2;
    const auto three = play_match(config, each, *baseline_player("greedy"));
    EXPECT_EQ(one.forfeits_a, 0);
    ASSERT_EQ(one.kept.size(), three.kept.size());
    for (std::size_t i = 0; i < one.kept.size(); ++i)
      EXPECT_EQ(one.kept[i].moves, three.kept[i].moves);
  }
}

TEST(AlphaBetaPlayer, SearchBeatsChance) {
  MatchConfig config;
  config.games = 10;
  const auto result = play_match(config, player(300), *baseline_player("random"));
  EXPECT_GT(result.points().mean, 7) << "random weights, but it sees kings fall";
}

// A match against a network has many games in a thread at once.
TEST(AlphaBetaPlayer, TheTablesOfManyGamesShareWhatOneMayTake) {
  AlphaBetaPlayerOptions options;
  options.limits.nodes = 1;
  options.hash_mib = options.memory_mib = 64;
  AlphaBetaPlayer player(tactics::random_nnue(1), options);
  const auto claimable = [] { return base::MemoryClaim(std::numeric_limits<int>::max()).mib(); };
  const base::MemoryClaim first(1);  // what is available counts from here on
  const int before = claimable();
  player.prepare(32);
  for (int slot = 0; slot < 32; ++slot) player.new_game(slot, base::Rng(1));
  EXPECT_LT(before - claimable(), 1000) << "not 32 times 64 MiB";
}

// The first moves of so many games.
std::set<std::string> first_moves(double temperature, int threads, std::uint64_t games) {
  AlphaBetaPlayerOptions options;
  options.limits.nodes = 2000;
  options.hash_mib = 1;
  options.temperature = temperature;
  options.threads = threads;
  AlphaBetaPlayer player(tactics::random_nnue(1), options);
  const auto start = rules::Position::start();
  const rules::ScoringTable table;
  const GameView view{.start = &start, .position = &start, .moves = {}, .table = &table};
  std::set<std::string> moves;
  for (std::uint64_t seed = 0; seed < games; ++seed) {
    Choice choice;
    player.new_game(0, base::Rng(seed));
    player.choose({&view, 1}, {&choice, 1});
    EXPECT_TRUE(start.is_legal(choice.move));
    moves.insert(rules::to_uci(choice.move));
  }
  return moves;
}

TEST(AlphaBetaPlayer, DrawsItsMovesWhereItHasATemperature) {
  EXPECT_EQ(first_moves(0, 1, 10).size(), 1u);
  EXPECT_GT(first_moves(2, 1, 10).size(), 1u);
}

TEST(AlphaBetaPlayer, SearchesAGameWithSeveralThreads) {
  EXPECT_GE(first_moves(0, 3, 5).size(), 1u);
}

TEST(AlphaBetaPlayer, IsTimedWhereItHasATime) {
  EXPECT_TRUE(player(0, 10)()->timed());
  EXPECT_FALSE(player(10)()->timed());
}

}  // namespace
}  // namespace arena
