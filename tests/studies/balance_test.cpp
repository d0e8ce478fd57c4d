#include "studies/balance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace studies {
namespace {

using rules::Outcome;
using ::testing::HasSubstr;

arena::MatchResult played(rules::RuleSet rules, const std::vector<Outcome>& outcomes) {
  arena::MatchResult match;
  match.rules = rules;
  match.table = rules.table();
  for (const Outcome outcome : outcomes) {
    arena::MatchGame& game = match.kept.emplace_back();
    game.number = static_cast<int>(match.kept.size()) - 1;
    game.a_is_white = game.number % 2 == 0;
    game.outcome = outcome;
  }
  return match;
}

TEST(Balance, IsOfWhiteWhoeverPlayedIt) {
  arena::MatchConfig config;
  config.opening_plies = 4;
  const auto figures = balance_figures(
      config,
      played(rules::kStalemateWin, {Outcome::kWhiteWins, Outcome::kWhiteWins,
                                    Outcome::kBlackStalemated, Outcome::kImpasseEqual}),
      "random", std::nullopt);
  EXPECT_EQ(figures.games, 4U);
  EXPECT_NEAR(figures.points_white.mean, 8.75, 1e-9);  // the set's own table
  EXPECT_NEAR(figures.outcomes[6].mean, 0.5, 1e-9);
  const auto row = words({figures}).json["sets"][0];
  EXPECT_EQ(row["rules"], "stalemate_win");
  EXPECT_EQ(row["table"], "default");
  EXPECT_EQ(row["games"], 4);
  EXPECT_EQ(row["opening_plies"], 4);
  EXPECT_TRUE(row["simulations"].is_null());
  EXPECT_EQ(row["points_white"]["mean"], figures.points_white.mean);
  EXPECT_EQ(row["outcomes"][6]["share"]["mean"], figures.outcomes[6].mean);
  EXPECT_EQ(row["outcomes"][6]["outcome"], "white_wins");
}

// Half of the openings decide their games, the others nothing.
TEST(Balance, SaysWhatOpeningsAndCardsDecide) {
  constexpr auto kWhite = Outcome::kWhiteWins, kBlack = Outcome::kBlackWins;
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 100; ++i) {
    for (const Outcome outcome : {kWhite, kWhite, kBlack, kBlack, kWhite, kWhite, kBlack, kBlack,
                                  kWhite, kWhite, kWhite, kBlack, kBlack, kWhite, kBlack, kBlack}) {
      outcomes.push_back(outcome);
    }
  }
  const auto shown = balance_figures({}, played(rules::kRaindrop, outcomes), "", {});
  ASSERT_TRUE(shown.pair_correlation);
  EXPECT_NEAR(shown.pair_correlation->mean, 0.5, 1e-9);
  EXPECT_NEAR(shown.pair_correlation->low, 0.44, 0.02);  // 0.5 less 1.96 * sqrt(0.75 / 800)
  EXPECT_NEAR(shown.pair_correlation->high, 0.56, 0.02);
  const auto row = words({shown}).json["sets"][0];
  EXPECT_EQ(row["pair_correlation"]["mean"], shown.pair_correlation->mean);
  EXPECT_FALSE(
      balance_figures({}, played(rules::kChess, {kWhite, kWhite}), "", {}).pair_correlation);
}

// Games of one opening may be as good as one game: the interval must not shrink for them.
TEST(Balance, TheGamesOfAPairAreOneDraw) {
  const auto width = [](const std::vector<Outcome>& outcomes) {
    const Estimate points =
        balance_figures({}, played(rules::kChess, outcomes), "", {}).points_white;
    return points.high - points.low;
  };
  std::vector<Outcome> alike, apart;
  for (int i = 0; i < 200; ++i) {
    alike.push_back(i / 2 % 2 == 0 ? Outcome::kWhiteWins : Outcome::kBlackWins);
    apart.push_back(i % 2 == 0 ? Outcome::kWhiteWins : Outcome::kBlackWins);
  }
  EXPECT_NEAR(width(alike), 2 * 1.98 * 5 / std::sqrt(100.0), 0.1);
  EXPECT_LT(width(apart), width(alike) / 3);
}

TEST(Balance, TheTableNamesSetsGamesAndPlayer) {
  const auto figures = balance_figures(
      {}, played(rules::kChess960, {Outcome::kImpasseEqual, Outcome::kImpasseEqual}), "runs/quick",
      64);
  const std::string text = words({figures}).text;
  for (const char* part : {"chess960", "5.00 [", "runs/quick, 64 simulations", "100.0 ["}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace studies
