#include "studies/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "base/rng.h"
#include "tests/selfplay/random_games.h"

namespace studies {
namespace {

using rules::Outcome;
using Probabilities = std::array<float, rules::kOutcomes>;

// Draws an outcome with these probabilities.
Outcome drawn(const Probabilities& p, base::Rng& rng) {
  double left = rng.uniform();
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    if ((left -= static_cast<double>(p[i])) < 0) return static_cast<Outcome>(i);
  }
  return Outcome::kWhiteWins;
}

// A win for White with a probability spread evenly, else one for Black.
Probabilities decided(float white) { return {1 - white, 0, 0, 0, 0, 0, white}; }

const ReliabilityBins& of(const OutcomeBins& bins, Outcome outcome) {
  return bins[static_cast<std::size_t>(rules::index(outcome))];
}

TEST(Calibration, WhoSaysTheTruthHasNoError) {
  OutcomeBins bins;
  base::Rng rng(1);
  for (int i = 0; i < 200000; ++i) {
    const auto truth = decided(static_cast<float>(rng.uniform()));
    add_outcome(truth, drawn(truth, rng), 1, bins);
  }
  EXPECT_LT(of(bins, Outcome::kWhiteWins).error(), 0.005);
  EXPECT_LT(of(bins, Outcome::kBlackWins).error(), 0.005);
  EXPECT_EQ(of(bins, Outcome::kImpasseEqual).error(), 0);
  const ReliabilityBins::Bin bin = of(bins, Outcome::kWhiteWins).bin(7);
  EXPECT_NEAR(bin.predicted, 0.75, 0.005);
  EXPECT_NEAR(bin.observed, 0.75, 0.01);
  EXPECT_NEAR(bin.weight, 20000, 500);
}

TEST(Calibration, APlantedErrorIsFound) {
  OutcomeBins bins;
  base::Rng rng(2);
  for (int i = 0; i < 200000; ++i) {
    const float said = i % 2 == 0 ? 0.25f : 0.85f;  // and 0.1 too much of it
    add_outcome(decided(said), drawn(decided(said - 0.1f), rng), 3, bins);
  }
  EXPECT_NEAR(of(bins, Outcome::kWhiteWins).error(), 0.1, 0.005);
  EXPECT_NEAR(of(bins, Outcome::kBlackWins).error(), 0.1, 0.005);
}

// Says the same of every position, from White's side.
class Constant final : public mcts::Evaluator {
 public:
  explicit Constant(const Probabilities& p) : p_(p) {}
  void evaluate(mcts::LeafBatch& batch) override {
    batch.priors.assign(batch.moves.size(), 0);
    for (mcts::Leaf& leaf : batch.leaves) leaf.evaluation.outcomes = p_;
  }

 private:
  Probabilities p_;
};

TEST(Calibration, IsMeasuredOnEveryPositionOfAGame) {
  std::vector<selfplay::GameRecord> games(40);
  for (std::size_t i = 0; i < games.size(); ++i) {
    rules::Position position = rules::Position::start();
    games[i].start_fen = position.to_fen();
    for (int ply = 0; ply < 20; ++ply) {
      rules::MoveList moves;
      position.surviving_moves(moves);
      games[i].plies.emplace_back().played = moves[i % moves.size()];
      position.play(games[i].plies.back().played);
      if (position.outcome(games[i].table)) break;
    }
    games[i].outcome = i < 30 ? Outcome::kWhiteWins : Outcome::kBlackWins;
  }
  Constant evaluator(decided(0.5f));
  const CalibrationFigures figures = calibration_figures(games, evaluator);
  EXPECT_EQ(figures.games, 40U);
  EXPECT_GT(figures.positions, 40U * 10);
  const auto& white = figures.outcomes[static_cast<std::size_t>(index(Outcome::kWhiteWins))];
  const double share = white.share;
  EXPECT_GT(share, 0.6);
  EXPECT_NEAR(white.error.error, share - 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(white.error.excess.mean, white.error.error - white.error.by_chance);
  EXPECT_GT(white.error.excess.low, 0);  // 30 heads of 40
  EXPECT_GT(white.error.excess.high, white.error.excess.mean);
  // The mean distance of 40 tosses of a coin from a half is 0.063; the games' lengths differ a bit.
  EXPECT_NEAR(white.error.by_chance, 0.065, 0.01);
  EXPECT_GT(std::exp(figures.variety.nats), 15);
  std::size_t quiet = 0;
  for (const selfplay::GameRecord& game : games) {
    const std::vector<rules::Position> positions = selfplay::replay(game);
    for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
      quiet += selfplay::is_quiet(positions[ply], game.plies[ply].played);
    }
  }
  EXPECT_LT(quiet, figures.positions);
  EXPECT_EQ(calibration_figures(games, evaluator, true).positions, quiet);
  ASSERT_EQ(figures.points.size(), 1u);  // no game under another table
  EXPECT_NEAR(figures.points[0].scored, 10 * share, 1e-9);
  EXPECT_NEAR(figures.points[0].predicted, 5, 1e-6);
  EXPECT_NEAR(figures.points[0].error.error, 10 * share - 5, 1e-6);

  // The last ten, which Black has won, under a table that pays White for it.
  for (std::size_t i = 30; i < 40; ++i) {
    games[i].table = rules::ScoringTable::from_changes("black_wins=2");
  }
  const auto split = calibration_figures(games, evaluator).points;
  ASSERT_EQ(split.size(), 2u);
  EXPECT_STREQ(split[0].tables, "standard");
  EXPECT_EQ(split[0].games, 30);
  EXPECT_NEAR(split[0].scored, 10, 1e-9);
  EXPECT_STREQ(split[1].tables, "changed");
  EXPECT_EQ(split[1].games, 10);
  EXPECT_NEAR(split[1].scored, 2, 1e-9);
  EXPECT_NEAR(split[1].predicted, 6, 1e-6);
  EXPECT_NEAR(split[1].difference.mean, 4, 1e-6);
  EXPECT_EQ(static_cast<std::ptrdiff_t>(figures.positions),
            split[0].positions + split[1].positions);
}

// Games of 20 random plies, of which White wins a fraction and Black the others.
std::vector<selfplay::GameRecord> decided_games(int count, double white, base::Rng& rng) {
  std::vector<selfplay::GameRecord> games(static_cast<std::size_t>(count));
  for (selfplay::GameRecord& game : games) {
    rules::Position position = rules::Position::start();
    game.start_fen = position.to_fen();
    for (int ply = 0; ply < 20; ++ply) {
      const rules::MoveList moves = position.legal_moves();
      game.plies.emplace_back().played = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
      position.play(game.plies.back().played);
      if (position.outcome(game.table)) break;
    }
    game.outcome = rng.uniform() < white ? Outcome::kWhiteWins : Outcome::kBlackWins;
  }
  return games;
}

TEST(Calibration, TheExcessHoldsZeroWhereTheProbabilitiesAreRightAndNotWhereTheyAreWrong) {
  base::Rng rng(4);
  int right = 0, wrong = 0;
  constexpr int kStudies = 60;
  for (int study = 0; study < kStudies; ++study) {
    Constant evaluator(decided(0.5f));
    const auto excess = [&](double white) {
      const auto games = decided_games(40, white, rng);
      return calibration_figures(games, evaluator).outcomes[6].error.excess;
    };
    const Estimate fair = excess(0.5), unfair = excess(0.9);
    right += fair.low <= 0 && 0 <= fair.high ? 1 : 0;
    wrong += unfair.low > 0 ? 1 : 0;
  }
  EXPECT_GE(right, 54);  // 0.95 of 60 less 1.8 standard deviations
  EXPECT_GE(wrong, 58);
}

// Says that White's chances are better after its moves than before them, from White's side.
class Hopeful final : public mcts::Evaluator {
 public:
  void evaluate(mcts::LeafBatch& batch) override {
    batch.priors.assign(batch.moves.size(), 0);
    for (mcts::Leaf& leaf : batch.leaves) {
      const bool white = leaf.position.side_to_move() == rules::Color::kWhite;
      leaf.evaluation.outcomes = decided(white ? 0.3f : 0.7f);
    }
  }
};

TEST(Calibration, WhatOneSideToMoveHidesOfTheOtherIsSeenApart) {
  base::Rng rng(5);
  Hopeful evaluator;
  const auto games = decided_games(200, 0.5, rng);
  const CalibrationFigures figures = calibration_figures(games, evaluator);
  EXPECT_LT(std::abs(figures.points.front().difference.mean), 1);
  ASSERT_EQ(figures.plies.size(), 2U);  // no game has more than 20 plies
  const auto& [white, black] = std::tie(figures.plies[0], figures.plies[1]);
  EXPECT_EQ(white.from, 0);
  EXPECT_EQ(white.to, 19);
  EXPECT_EQ(white.turn, rules::Color::kWhite);
  EXPECT_EQ(black.turn, rules::Color::kBlack);
  EXPECT_NEAR(white.difference.mean, -2, 1);
  EXPECT_NEAR(black.difference.mean, 2, 1);
  EXPECT_LT(white.difference.high, 0);
  EXPECT_GT(black.difference.low, 0);
  EXPECT_EQ(white.positions + black.positions, static_cast<std::ptrdiff_t>(figures.positions));
  const Answer answer = words(CalibrationStudy(), "net", figures, nullptr);
  EXPECT_EQ(answer.json["plies"][1]["turn"], "black");
  EXPECT_EQ(answer.json["plies"][1]["to_ply"], 19);
  EXPECT_NE(answer.text.find("0 to 19     Black"), std::string::npos) << answer.text;
}

TEST(Calibration, GamesThatAreAlikeAreOneByChance) {
  const auto game = selfplay::random_game(1);
  const std::vector<selfplay::GameRecord> games(40, game);
  Constant evaluator(decided(0.5f));
  const CalibrationFigures figures = calibration_figures(games, evaluator);
  EXPECT_EQ(figures.variety.different, 1U);
  // One toss of a coin is half away from a half.
  EXPECT_NEAR(figures.outcomes[6].error.by_chance, 0.5, 1e-9);

  SelfGamesConfig config;
  config.games = 40;
  config.simulations = 5;
  const auto [json, text, folder] = words(CalibrationStudy(), "net", figures, &config);
  EXPECT_EQ(json["simulations"], 5);
  EXPECT_NE(text.find("few lines"), std::string::npos);
  EXPECT_EQ(words(CalibrationStudy(), "net", figures, nullptr).text.find("few lines"),
            std::string::npos);  // of games played elsewhere nothing is known
}

TEST(Calibration, SaysInJsonWhatItMeasured) {
  CalibrationFigures figures;
  figures.games = 3;
  figures.plies.push_back({120, {}, rules::Color::kWhite, 7, {0.5, 0.25, 1}});
  figures.outcomes[6] = {{0.1, 0.02, {0.08, -0.01, INFINITY}}, 0.25, {{8, 0.35, 0.25}}};
  figures.points.push_back(
      {"standard", 30, 3, 5.5, 5.25, {0.25, 0, 1}, {0.5, 0.25, {0.25, -0.25, 1}}});
  CalibrationStudy study;
  study.played = "some/games";
  const auto [answer, text, folder] = words(study, "net", figures, nullptr);
  EXPECT_EQ(answer["net"], "net");
  EXPECT_EQ(answer["played"], "some/games");
  EXPECT_FALSE(answer.contains("simulations"));
  const auto& white = answer["outcomes"][6];
  EXPECT_EQ(white["name"], "white_wins");
  EXPECT_EQ(white["error"], 0.1);
  EXPECT_EQ(white["error_excess"]["low"], -0.01);
  EXPECT_EQ(white["error_by_chance"], 0.02);
  EXPECT_TRUE(white["error_excess"]["high"].is_null());
  EXPECT_EQ(white["bins"][0]["weight"], 8);
  EXPECT_EQ(answer["points"][0]["scored"], 5.25);
  EXPECT_TRUE(answer["plies"][0]["to_ply"].is_null());
  EXPECT_NE(text.find("from 120"), std::string::npos) << text;
  EXPECT_EQ(answer["points"][0]["error_excess"]["mean"], 0.25);
  EXPECT_NE(text.find("0.100  0.020  0.080 [-0.010, ?]"), std::string::npos) << text;
}

}  // namespace
}  // namespace studies
