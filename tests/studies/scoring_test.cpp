#include "studies/scoring.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rules/error.h"

namespace studies {
namespace {

// A game that ends in an equal impasse or is won by Black or White.
GameFacts drawn_game(double equal, double white, base::Rng& rng) {
  GameFacts game;
  game.seed = rng.next();
  const double draw = rng.uniform();
  game.outcome = draw < equal                           ? rules::Outcome::kImpasseEqual
                 : (draw - equal) / (1 - equal) < white ? rules::Outcome::kWhiteWins
                                                        : rules::Outcome::kBlackWins;
  return game;
}

// Players who know what an equal impasse pays White: the more, the more often they come to one
// (White likes it) and the less often White wins otherwise. Fair at kFairImpasse.
constexpr double kFairImpasse = 4.6;
double equal_share(double value) { return 0.4 + 0.05 * (value - kFairImpasse); }
double white_share(double value) {
  const double fair = (5 - 0.4 * kFairImpasse) / (10 * 0.6);
  return fair + 0.01 * (value - kFairImpasse);
}
double planted_points(double value) {
  return equal_share(value) * value + (1 - equal_share(value)) * 10 * white_share(value);
}
std::vector<GameFacts> planted_games(double value, int count, base::Rng& rng) {
  std::vector<GameFacts> games;
  for (int i = 0; i < count; ++i) {
    games.push_back(drawn_game(equal_share(value), white_share(value), rng));
  }
  return games;
}
double impasse_equal(const rules::ScoringTable& table) {
  return table.white_points(rules::Outcome::kImpasseEqual);
}

TEST(Reprice, OfTheSameGamesHasATightDifference) {
  base::Rng rng(4);
  const auto games = planted_games(4, 400, rng);
  const Repriced repriced = compare(games, table_with("impasse_equal", 4.9, {}), games, {});
  double equal = 0;
  for (const auto& game : games) {
    equal += game.outcome == rules::Outcome::kImpasseEqual ? 1.0 / 400 : 0;
  }
  EXPECT_NEAR(repriced.difference.mean, 0.9 * equal, 1e-9);
  const auto width = [](const arena::Estimate& e) { return e.high - e.low; };
  EXPECT_LT(width(repriced.difference), width(repriced.points_white) / 5);
  EXPECT_NEAR(repriced.points_white.mean - points_white(games, {}).mean, 0.9 * equal, 1e-9);
}

TEST(Reprice, CountsTheGamesThatPayOtherwiseAndNotAllThatMight) {
  std::vector<GameFacts> games(40);
  for (std::size_t i = 0; i < games.size(); ++i) {
    games[i].seed = i;
    games[i].outcome = i < 30 ? rules::Outcome::kImpasseEqual : rules::Outcome::kWhiteWins;
    // The dearer bishop decides one impasse of ten: the others have no bishop.
    games[i].end = rules::Position::from_fen(i % 10 == 0 ? "4kb2/8/8/8/8/8/8/4KN2[] w - - 100 90"
                                                         : "4kn2/8/8/8/8/8/8/4KN2[] w - - 100 90");
  }
  const Repriced repriced = compare(games, table_with("bishop", 3.25, {}), games, {});
  EXPECT_EQ(repriced.changed, 3U);
  EXPECT_DOUBLE_EQ(repriced.changed_share.mean, 3.0 / 40);
  EXPECT_GT(repriced.changed_share.low, 0);
  EXPECT_NEAR(repriced.difference.mean, -3.0 / 40, 1e-9);  // 3 of ten instead of 4
  EXPECT_EQ(compare(games, table_with("stalemate", 2.2, {}), games, {}).changed, 0U);
}

TEST(Reprice, OfGamesThatDoNotChangeBoundsWhatOthersMight) {
  std::vector<GameFacts> games(100);
  for (std::size_t i = 0; i < games.size(); ++i) {
    games[i].seed = i;
    games[i].outcome = rules::Outcome::kWhiteWins;
  }
  const auto high = [&](const char* table) {
    return compare(games, rules::ScoringTable::from_changes(table), games, {}).difference.high;
  };
  EXPECT_NEAR(high("impasse_equal=4.9"), 0.9 * 0.03, 1e-9);
  EXPECT_NEAR(high("stalemate=2.2"), 0.2 * 0.03, 1e-9);
  EXPECT_NEAR(high("bishop=3.25"), 4 * 0.03, 1e-9);  // an impasse decided the other way: 3 or 7
  EXPECT_EQ(high("impasse_equal=4"), 0);             // the default table itself
  const std::vector<GameFacts> twins = games;
  EXPECT_NEAR(compare(games, {}, twins, {}).difference.high, 10 * 0.03, 1e-9);
}

TEST(Reprice, GamesAgainstTheirTwinsHoldAPlantedDifference) {
  base::Rng rng(11);
  const auto other = table_with("impasse_equal", 6, {});
  const double planted = planted_points(6) - planted_points(4);
  int covered = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const auto twins = planted_games(4, 400, rng);
    const Repriced compared = compare(planted_games(6, 400, rng), other, twins, {});
    covered += compared.difference.low <= planted && planted <= compared.difference.high ? 1 : 0;
    EXPECT_NEAR(compared.difference.mean, compared.points_white.mean - points_white(twins, {}).mean,
                1e-9);
  }
  EXPECT_NEAR(covered / static_cast<double>(kRuns), 0.95, 0.04);
}

TEST(FairValue, HoldsAPlantedAnswerAsOftenAsItShould) {
  base::Rng rng(5);
  int covered = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const auto games = planted_games(kFairImpasse, 400, rng);
    const auto fair = fair_value(games, "impasse_equal", {}, 200, rng.split(1));
    ASSERT_TRUE(fair);
    covered += fair->low <= kFairImpasse && kFairImpasse <= fair->high ? 1 : 0;
  }
  EXPECT_NEAR(covered / static_cast<double>(kRuns), 0.95, 0.04);
}

TEST(FairValue, IsEmptyWhereNoPriceHelps) {
  base::Rng rng(6);
  std::vector<GameFacts> games;
  for (int i = 0; i < 50; ++i) games.push_back(drawn_game(0.1, 1, rng));
  EXPECT_EQ(fair_value(games, "impasse_equal", {}, 10, rng), std::nullopt);
}

TEST(FairValue, OfAWinIsSoughtWhereNothingPaysMore) {
  base::Rng rng(9);
  std::vector<GameFacts> games;
  for (int i = 0; i < 110; ++i) games.push_back(drawn_game(0, 1, rng));
  for (int i = 0; i < 90; ++i) games.push_back(drawn_game(0, 0, rng));
  const auto fair = fair_value(games, "white_wins", {}, 10, rng);
  ASSERT_TRUE(fair);
  EXPECT_NEAR(fair->mean, 1000.0 / 110, 1e-6);
  EXPECT_EQ(fair_value(games, "black_wins", {}, 10, rng), std::nullopt);
}

TEST(FindFair, RecoversThePlantedAnswerThoughPlayChangesWithPrices) {
  int covered = 0, confirmed = 0;
  constexpr int kRuns = 60;
  base::Rng rng(7);
  for (int run = 0; run < kRuns; ++run) {
    FairQuestion question;
    question.key = "impasse_equal";
    question.bootstraps = 200;
    question.network = [](const auto& table) {  // wrong by half a point
      return planted_points(impasse_equal(table)) + 0.5;
    };
    question.play = [&](const auto& table) {
      return planted_games(impasse_equal(table), 800, rng);
    };
    const auto games = planted_games(4, 800, rng);
    const FairResult result = find_fair(question, games, rng.split(2));
    ASSERT_TRUE(result.by_network && result.repriced && result.played);
    EXPECT_NEAR(planted_points(*result.by_network), 4.5, 1e-6);
    covered += result.played->low <= kFairImpasse && kFairImpasse <= result.played->high ? 1 : 0;
    confirmed += result.confirmed ? 1 : 0;
  }
  EXPECT_GE(covered, 51);  // 0.95 of 60, less three standard deviations
  EXPECT_GE(confirmed, 55);
}

TEST(FindFair, CanBeStoppedAndTellsThatNothingIsFair) {
  FairQuestion question;
  question.key = "stalemate";
  question.network = [](const auto&) { return 6.0; };
  question.play = [](const auto&) -> std::vector<GameFacts> { throw Stopped{}; };
  base::Rng rng(8);
  const auto games = planted_games(4, 50, rng);
  const FairResult none = find_fair(question, games, rng);
  EXPECT_TRUE(none.rounds.empty());
  EXPECT_EQ(none.at_ends[0].mean, none.at_ends[1].mean);  // no game ended in a stalemate
  question.network = [](const auto& table) { return table.points_white[1] / 2; };
  EXPECT_THROW(find_fair(question, games, rng), Stopped);
  question.key = "stalmate";
  EXPECT_THROW(find_fair(question, games, rng), rules::RulesError);
}

TEST(FindFair, NamesTheRangeThatItLookedAt) {
  FairQuestion question;
  question.key = "white_wins";  // pays no less than the other outcomes
  question.network = [](const auto&) { return 6.0; };
  std::vector<GameFacts> games(3);
  for (GameFacts& game : games) game.outcome = rules::Outcome::kWhiteWins;
  ScoringFigures figures;
  figures.tables.emplace_back();
  figures.fair.push_back(find_fair(question, games, base::Rng(8)));
  ASSERT_TRUE(figures.fair.front().rounds.empty());
  const std::string text = words(figures).text;
  EXPECT_GT(fair_range(question.key, question.standard).first, 0);
  EXPECT_EQ(text.find("no value from 0 to 10"), std::string::npos) << text;
  EXPECT_NE(text.find("no value from "), std::string::npos) << text;
}

TEST(Scoring, SaysWhereItsGamesFollowFewLines) {
  ScoringFigures figures;
  figures.config.games = 100;
  figures.tables.emplace_back();
  figures.variety = {16, 30, std::log(25.0)};
  EXPECT_TRUE(words(figures).json["answers"].empty());
  figures.variety.nats = std::log(9.0);
  const Answer few = words(figures);
  EXPECT_NE(few.text.find("as varied as 9 positions"), std::string::npos) << few.text;
  EXPECT_EQ(few.json["answers"].size(), 1U);
}

}  // namespace
}  // namespace studies
