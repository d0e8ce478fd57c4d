#include "training/learner/nnue_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/rules/color_swapped.h"
#include "tests/training/random_game.h"
#include "training/learner/outcome_target.h"
#include "training/learner/replay_window.h"

namespace training {
namespace {

using rules::Color;
using rules::Position;

// A row of a batch, its features sorted.
using Row = std::tuple<std::vector<int>, std::vector<int>, std::vector<float>, std::vector<float>>;

Row row_of(const NnueBatch& batch, std::size_t i) {
  const auto features = [&](const NnueView& view) {
    const auto found = view.row(i);
    std::vector<int> sorted(found.begin(), found.end());
    std::ranges::sort(sorted);
    return sorted;
  };
  const auto cells = [&](const std::vector<float>& values, std::size_t width) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * width);
    return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(width));
  };
  return {features(batch.views[0]), features(batch.views[1]),
          cells(batch.tables, tactics::NnueShape::kTable), cells(batch.outcomes, 7)};
}

// A random game whose searches all say something else, in shares whose sums are exact.
selfplay::GameRecord searched_game(std::uint64_t seed, rules::RuleSet rules = {}) {
  selfplay::GameRecord game = random_game(seed, rules);
  base::Rng rng(seed);
  for (auto& ply : game.plies) {
    if (rng.below(10) == 0) continue;  // by the rules alone
    for (int i = 0; i < 64; ++i) ply.root_outcomes_white[rng.below(7)] += 1.0f / 64;
  }
  return game;
}

// The plies that are fit to learn from, in the words of the header.
std::vector<std::size_t> quiet_plies(const selfplay::GameRecord& game,
                                     std::map<std::string, int>& why) {
  std::vector<std::size_t> found;
  const auto positions = selfplay::replay(game);
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const Position& position = positions[ply];
    const Position& next = positions[ply + 1];
    const Color side = position.side_to_move();
    const bool takes = next.pieces(~side) != position.pieces(~side);
    const bool promotes = std::popcount(next.pieces(side, rules::PieceType::kPawn)) <
                          std::popcount(position.pieces(side, rules::PieceType::kPawn));
    ++why[position.in_check(side)       ? "check"
          : position.can_capture_king() ? "king"
          : takes                       ? "takes"
          : promotes                    ? "promotes"
                                        : "quiet"];
    if (position.in_check(side) || position.can_capture_king() || takes || promotes) continue;
    found.push_back(ply);
  }
  return found;
}

class Kept : public testing::TestWithParam<rules::RuleSet> {};

TEST_P(Kept, AreTheQuietPositionsOfAGameWithTheirTargets) {
  LearnerConfig config;
  std::map<std::string, int> why;
  for (std::uint64_t seed = 20; seed < 40; ++seed) {
    const selfplay::GameRecord game = searched_game(seed, GetParam());
    const auto positions = selfplay::replay(game);
    std::map<Row, std::size_t> expected;
    const auto plies = quiet_plies(game, why);
    for (const std::size_t ply : plies) {
      const Color side = positions[ply].side_to_move();
      const auto table = tactics::nnue_table(game.table, side);
      const auto target = outcome_target(game, ply, side, config);
      NnueBatch rows;
      rows.add(positions[ply], table, target);
      if (positions[ply].is_mirror_symmetric() && !positions[ply].king_on_board(Color::kWhite) &&
          !positions[ply].king_on_board(Color::kBlack))
        rows.add(positions[ply].mirrored(), table, target);
      for (int i = 0; i < rows.rows; ++i) expected[row_of(rows, static_cast<std::size_t>(i))] = ply;
    }
    NnueWindow window(config);
    window.add(game);
    ASSERT_EQ(window.size(), static_cast<std::int64_t>(plies.size()));
    base::Rng rng(seed);
    NnueBatch batch;
    window.sample(4000, rng, batch);
    ASSERT_EQ(batch.rows, 4000);
    std::set<Row> seen;
    for (std::size_t i = 0; i < 4000; ++i) {
      const Row row = row_of(batch, i);
      ASSERT_TRUE(expected.contains(row)) << i;
      seen.insert(row);
    }
    EXPECT_EQ(seen.size(), expected.size());
  }
  for (const char* kind : {"check", "takes", "quiet"}) EXPECT_GT(why[kind], 10) << kind;
  EXPECT_EQ(why["king"] > 0, GetParam() == rules::RuleSet{});  // others keep their kings safe
  EXPECT_GT(why["promotes"], 0);
}

INSTANTIATE_TEST_SUITE_P(NnueWindow, Kept, testing::Values(rules::RuleSet{}, rules::kChess960));

TEST(NnueWindow, TargetsAreThoseOfTheReplayWindow) {
  LearnerConfig config;
  selfplay::GameRecord game = searched_game(23);
  for (auto& ply : game.plies) ply.is_target = false;
  const auto positions = selfplay::replay(game);
  ASSERT_GT(game.plies.size(), 60u);
  for (std::size_t ply = 5; ply < game.plies.size(); ply += 7) {
    game.plies[ply].is_target = true;
    ReplayWindow window(config);
    window.add(game);
    game.plies[ply].is_target = false;
    base::Rng rng(1);
    TrainingBatch batch;
    window.sample(1, rng, batch);
    const auto target = outcome_target(game, ply, positions[ply].side_to_move(), config);
    EXPECT_TRUE(std::ranges::equal(batch.outcomes, target)) << ply;
  }
}

TEST(NnueWindow, LaterGamesTeachBySearchesAlone) {
  LearnerConfig config;
  config.search_value_share = 0.7f;
  EXPECT_EQ(search_share(1000, config), 0.7f) << "it stays";
  config.search_value_rise = 30;
  EXPECT_EQ(search_share(0, config), 0.7f);
  EXPECT_FLOAT_EQ(search_share(15, config), 0.85f);
  EXPECT_EQ(search_share(30, config), 1.0f);
  EXPECT_EQ(search_share(31, config), 1.0f);
  // A game's own generation counts.
  selfplay::GameRecord game = searched_game(23);
  config.search_value_plies = 0;
  LearnerConfig searches = config, mixed = config;
  searches.search_value_share = 1;
  mixed.search_value_rise = 0;
  for (const auto& [generation, as] : {std::pair(30, &searches), std::pair(0, &mixed)}) {
    game.generation = generation;
    EXPECT_EQ(outcome_target(game, 5, Color::kBlack, config),
              outcome_target(game, 5, Color::kBlack, *as));
  }
  EXPECT_NE(outcome_target(game, 5, Color::kBlack, searches),
            outcome_target(game, 5, Color::kBlack, mixed));
}

TEST(NnueWindow, AWonGameIsLostForTheOtherSide) {
  LearnerConfig config;
  config.search_value_share = 0;
  selfplay::GameRecord game = random_game(21);
  game.outcome = rules::Outcome::kWhiteWins;
  NnueWindow window(config);
  window.add(game);
  base::Rng rng(1);
  NnueBatch batch;
  window.sample(400, rng, batch);
  int movers[2] = {0, 0};
  for (std::size_t row = 0; row < 400; ++row) {
    // Under the default table an equal impasse pays White 4 and Black 6.
    const bool white = batch.tables[row * tactics::NnueShape::kTable + 3] < 0;
    ++movers[white];
    EXPECT_EQ(batch.outcomes[row * 7 + (white ? 6 : 0)], 1.0f);
  }
  EXPECT_GT(movers[0], 50);
  EXPECT_GT(movers[1], 50);
}

// The same game, played by Black as White has played it.
selfplay::GameRecord color_flipped(const selfplay::GameRecord& game) {
  selfplay::GameRecord flipped = game;
  flipped.start_fen = game.start().color_flipped().to_fen();
  flipped.outcome = rules::color_swapped(game.outcome);
  for (std::size_t i = 0; i < 7; ++i) {
    flipped.table.points_white[i] = 10 - game.table.points_white[6 - i];
  }
  for (auto& ply : flipped.plies) {
    ply.played = rules::flipped(ply.played);
    std::ranges::reverse(ply.root_outcomes_white);
  }
  return flipped;
}

// But for the feature that tells them.
TEST(NnueWindow, ColoursAreAlike) {
  const auto seen_by_both = [](const NnueBatch& batch, std::size_t i) {
    using S = tactics::NnueShape;
    Row row = row_of(batch, i);
    const auto tells = [](int feature) { return feature % S::kKinds == S::kWhite; };
    std::erase_if(std::get<0>(row), tells);
    std::erase_if(std::get<1>(row), tells);
    return row;
  };
  for (std::uint64_t seed = 30; seed < 36; ++seed) {
    const selfplay::GameRecord game = searched_game(seed);
    NnueBatch one, two;
    for (const bool flip : {false, true}) {
      NnueWindow window(LearnerConfig{});
      window.add(flip ? color_flipped(game) : game);
      base::Rng rng(seed);
      window.sample(500, rng, flip ? two : one);
    }
    for (std::size_t i = 0; i < 500; ++i) {
      ASSERT_EQ(seen_by_both(one, i), seen_by_both(two, i)) << i;
      ASSERT_NE(row_of(one, i), row_of(two, i)) << i;
    }
  }
}

TEST(NnueWindow, GivesTheRowsOfEachStackTogether) {
  NnueWindow window(LearnerConfig{});
  for (std::uint64_t seed = 0; seed < 10; ++seed) window.add(random_game(seed));
  base::Rng rng(1);
  NnueBatch batch;
  window.sample(3000, rng, batch);
  std::size_t row = 0;
  for (std::size_t stack = 0; stack < batch.stacks.size(); ++stack) {
    const bool held = stack < 4;  // a piece in reserve
    for (int i = 0; i < batch.stacks[stack]; ++i, ++row) {
      const auto features = batch.views[0].row(row);
      const auto in_reserve = std::ranges::count_if(features, [](int feature) {
        const int kind = feature % tactics::NnueShape::kKinds - tactics::NnueShape::kPieceSquares;
        return kind >= 0 && kind < tactics::NnueShape::kReserves;
      });
      ASSERT_EQ(in_reserve > 0, held) << stack;
    }
  }
  EXPECT_EQ(row, 3000u);
  EXPECT_GT(std::ranges::count_if(batch.stacks, [](int rows) { return rows > 0; }), 4);
}

TEST(NnueWindow, LetsTheOldestGo) {
  LearnerConfig config;
  config.search_value_share = 0;
  config.window_min = config.window_max = 150;
  NnueWindow window(config);
  std::int64_t added = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    selfplay::GameRecord game = random_game(seed);
    game.outcome = rules::Outcome::kImpasseEqual;
    // Each table tells its game, and some games share one with the game before.
    game.table.material[4] = 9 + static_cast<double>(seed / 2);
    std::map<std::string, int> ignored;
    added += static_cast<std::int64_t>(quiet_plies(game, ignored).size());
    window.add(game);
    EXPECT_EQ(window.total(), added);
    EXPECT_EQ(window.size(), std::min<std::int64_t>(added, 150));
  }
  base::Rng rng(1);
  NnueBatch batch;
  window.sample(1000, rng, batch);
  std::set<float> pawns;
  for (std::size_t row = 0; row < 1000; ++row) {
    pawns.insert(batch.tables[row * tactics::NnueShape::kTable + 7]);
  }
  rules::ScoringTable newest;
  newest.material[4] = 9 + 11;
  EXPECT_EQ(*pawns.begin(), tactics::nnue_table(newest, Color::kWhite)[7]);
  rules::ScoringTable gone;
  gone.material[4] = 9 + 6;
  EXPECT_LT(*pawns.rbegin(), tactics::nnue_table(gone, Color::kWhite)[7]);
}

}  // namespace
}  // namespace training
