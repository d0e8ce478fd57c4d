#include "studies/game_facts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rules/notation.h"
#include "tests/selfplay/random_games.h"
#include "tests/studies/synthetic_games.h"

namespace studies {
namespace {

using selfplay::GameRecord;

selfplay::GameRecord game_from(rules::Position position, std::initializer_list<const char*> moves) {
  selfplay::GameRecord game;
  game.rules = position.rule_set();
  game.start_fen = position.to_fen();
  for (const char* word : moves) {
    game.plies.emplace_back().played = rules::parse_uci(position, word);
    position.play(game.plies.back().played);
  }
  return game;
}
selfplay::GameRecord game_of(std::initializer_list<const char*> moves) {
  return game_from(rules::Position::start(), moves);
}

selfplay::GameRecord mirrored(selfplay::GameRecord game) {
  for (auto& ply : game.plies) ply.played = rules::mirrored(ply.played);
  return game;
}

TEST(FactsOf, AMirroredGameIsTheSameGame) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const selfplay::GameRecord game = selfplay::random_game(seed);
    const GameFacts one = facts_of(game, 8), image = facts_of(mirrored(game), 8);
    EXPECT_EQ(one.game, image.game);
    EXPECT_EQ(one.first_move, image.first_move);
    EXPECT_EQ(one.opening, image.opening);
    EXPECT_EQ(one.at_depth, image.at_depth);
    const GameFacts other = facts_of(selfplay::random_game(seed + 100), 8);
    EXPECT_NE(one.game, other.game);
    EXPECT_NE(one.opening, other.opening);
  }
}

TEST(FactsOf, CastlingKnowsLeftFromRight) {
  const auto facts = [](rules::RuleSet rules, const char* move) {
    return facts_of(game_from(rules::Position::start(rules), {move}), 1);
  };
  EXPECT_NE(facts(rules::kChess, "d2d4").first_move, facts(rules::kChess, "e2e4").first_move);
  EXPECT_NE(facts(rules::kChess, "d2d4").opening, facts(rules::kChess, "e2e4").opening);
  EXPECT_NE(facts(rules::kChess, "d2d4").game, facts(rules::kChess, "e2e4").game);
  EXPECT_EQ(facts({}, "N@b1").first_move, facts({}, "N@g1").first_move);
}

TEST(FactsOf, AGameIsAnotherFromAnotherStart) {
  const auto facts = [](int shuffle, const char* move) {
    return facts_of(game_from(rules::Position::start(rules::kChess480, shuffle), {move}), 1);
  };
  const rules::Position start = rules::Position::start(rules::kChess480, 100);
  int image = 0;
  while (rules::Position::start(rules::kChess480, image) != start.mirrored()) ++image;
  EXPECT_NE(facts(100, "a2a4").game, facts(101, "a2a4").game);
  EXPECT_NE(facts(100, "a2a4").game, facts(image, "a2a4").game);
  EXPECT_EQ(facts(100, "a2a4").game, facts(image, "h2h4").game);
  EXPECT_EQ(facts(100, "a2a4").first_move, 0U);  // no share of its own
}

TEST(FactsOf, TellWhenAndWhereThePiecesCame) {
  const GameFacts facts = facts_of(
      game_of({"B@c1", "K@e8", "K@d1", "B@c8", "B@e1", "B@f8", "e2e3", "N@b8", "R@a1"}), 4);
  const auto& [white, black] = facts.sides;
  EXPECT_EQ(white.king_turn, 2);
  EXPECT_EQ(black.king_turn, 1);
  EXPECT_EQ(white.queen_turn, 0);
  EXPECT_EQ(white.bishops_on_one_colour, true);
  EXPECT_EQ(black.bishops_on_one_colour, false);
  EXPECT_EQ(white.placements[static_cast<std::size_t>(rules::PieceType::kRook)][0], 1);
  EXPECT_EQ(black.placements[static_cast<std::size_t>(rules::PieceType::kKing)][4], 1);
  EXPECT_EQ(facts.plies, 9);
  EXPECT_EQ(facts_of(game_of({"B@c1", "K@e8"}), 4).sides[0].bishops_on_one_colour, std::nullopt);
  double weight = 0;
  for (const auto& sample : facts.material) weight += sample.weight;
  EXPECT_DOUBLE_EQ(weight, 1);
}

TEST(FactsOf, TellWhenAllPiecesWereThereAndWhatPawnsBecame) {
  const GameFacts facts = facts_of(
      game_from(rules::Position::from_fen("4k3/P6P/8/8/8/8/8/4K3[Nr] w - - 0 30",
                                          rules::RuleSet::parse("chess_sharp+underpromotion")),
                {"a7a8n", "e8e7", "N@a1", "R@d8", "h7h8q"}),
      0);
  const auto& [white, black] = facts.sides;
  EXPECT_EQ(white.placed_turn, 2);
  EXPECT_EQ(black.placed_turn, 2);
  EXPECT_EQ(white.promotions, 2);
  EXPECT_EQ(white.underpromotions, 1);
  EXPECT_EQ(black.promotions, 0);
  EXPECT_EQ(facts_of(game_of({"B@c1", "K@e8"}), 4).sides[0].placed_turn, 0);
}

TEST(FactsOf, MaterialIsCountedInQuietPositions) {
  const auto counted = [](const char* fen, std::initializer_list<const char*> moves) {
    return facts_of(game_from(rules::Position::from_fen(fen), moves), 0).material.size();
  };
  EXPECT_EQ(counted("4k3/8/3r4/8/4P3/8/8/4K3[] w - - 0 30", {"e1e2"}), 1U);
  EXPECT_EQ(counted("4k3/8/8/3r4/4P3/8/8/4K3[] w - - 0 30", {"e1e2"}), 0U);  // exd5 wins a rook
  EXPECT_EQ(counted("4k3/8/8/8/4r3/8/8/4K3[] w - - 0 30", {"e1d1"}), 0U);    // check
  const char* defended = "rk6/4P3/8/8/8/8/8/R3K3[] w - - 0 30";
  EXPECT_EQ(counted(defended, {"e1e2"}), 1U);
  EXPECT_EQ(counted(defended, {"a1a8"}), 0U);  // an exchange begins
  EXPECT_EQ(counted(defended, {"e7e8q"}), 0U);
  const char* rooks = "r3k3/8/8/8/8/8/8/1R2K3[] w - - 0 30";  // every fifth ply is counted
  EXPECT_EQ(counted(rooks, {"b1b2", "a8a7", "b2a2", "e8e7", "a2b2", "e7f6"}), 2U);
  EXPECT_EQ(counted(rooks, {"b1b2", "a8a7", "b2a2", "e8e7", "a2a7", "e7f6"}), 1U);  // just taken
}

TEST(FactsOf, AnImpasseIsDecidedByTheTableThatPrices) {
  GameFacts facts;
  facts.outcome = rules::Outcome::kImpasseEqual;
  facts.end = rules::Position::from_fen("4kb2/8/8/8/8/8/8/4KN2[] w - - 100 90");
  EXPECT_EQ(facts.points_white({}), 4);
  const auto table = rules::ScoringTable::from_changes("bishop=3.25");
  EXPECT_EQ(facts.outcome_under(table), rules::Outcome::kImpasseBlackMore);
  EXPECT_EQ(facts.points_white(table), 3);
  facts.outcome = rules::Outcome::kWhiteWins;
  EXPECT_EQ(facts.points_white(table), 10);
}

TEST(PointsWhite, AGameThatWasDrawnTwoHundredTimesCountsTwoHundredTimes) {
  std::vector<GameFacts> games(400);
  for (std::size_t i = 0; i < games.size(); ++i) {
    games[i].seed = i;
    games[i].game = games[i].opening = i < 200 ? 0 : i;
    games[i].outcome = i < 200 ? rules::Outcome::kWhiteWins : rules::Outcome::kBlackWins;
  }
  EXPECT_EQ(distinct_games(games), 201U);
  const arena::Estimate points = points_white(games, {});
  EXPECT_DOUBLE_EQ(points.mean, 5);
  const double binomial = 10 * 1.966 * std::sqrt(0.25 / 400);  // of independent draws
  EXPECT_NEAR(points.high - points.low, 2 * binomial, 0.02);
}

// The promise of the study: the interval holds the truth 95 times of a hundred.
TEST(PointsWhite, HoldAKnownAdvantageAsOftenAsTheyShould) {
  constexpr int kStudies = 1000;
  base::Rng rng(20);
  const SyntheticPlayer player(rng.split(1));
  int points_covered = 0, equal_covered = 0;
  double distinct = 0;
  for (int i = 0; i < kStudies; ++i) {
    const auto games = player.games(400, rng);
    const arena::Estimate points = points_white(games, {});
    points_covered += points.low <= player.advantage() && player.advantage() <= points.high;
    std::vector<Sample> samples;
    for (const GameFacts& game : games) {
      samples.push_back(game.sample(game.outcome == rules::Outcome::kImpasseEqual ? 1 : 0));
    }
    const arena::Estimate equal = mean_within(samples, 0, 1);
    equal_covered += equal.low <= player.equal() && player.equal() <= equal.high;
    distinct += static_cast<double>(distinct_games(games)) / kStudies;
  }
  EXPECT_LT(distinct, 300);  // of 400: the good ones were drawn again and again
  EXPECT_NEAR(points_covered, 0.95 * kStudies, 0.02 * kStudies);
  EXPECT_NEAR(equal_covered, 0.95 * kStudies, 0.02 * kStudies);
}

}  // namespace
}  // namespace studies
