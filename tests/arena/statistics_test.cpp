#include "arena/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/rng.h"

namespace arena {
namespace {

// SHARPZERO_LONG_TESTS=1 repeats every simulation ten times as often.
int repetitions(int usual) {
  return std::getenv("SHARPZERO_LONG_TESTS") != nullptr ? 10 * usual : usual;
}

// Pair scores of two games by the seven outcomes: A's points of ten have the seven values of the
// default table with chances that depend on one parameter, and half of the pairs repeat the first
// game's result.
class PairSource {
 public:
  explicit PairSource(double strength) {
    constexpr std::array<double, 7> kPoints{0, 2, 3, 4, 7, 8, 10};
    double sum = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      const bool decided = i == 0 || i == 6;
      weights_[i] = (decided ? 4.0 : 1.0) * std::exp(strength * (kPoints[i] - 5));
      sum += weights_[i];
      points_[i] = kPoints[i] / 10;
    }
    for (double& weight : weights_) weight /= sum;
  }
  double mean() const {
    double mean = 0;
    for (std::size_t i = 0; i < 7; ++i) mean += weights_[i] * points_[i];
    return mean;
  }
  double draw(base::Rng& rng) const {
    const double first = game(rng);
    return (first + (rng.uniform() < 0.3 ? first : game(rng))) / 2;
  }

 private:
  double game(base::Rng& rng) const {
    double left = rng.uniform();
    for (std::size_t i = 0; i < 6; ++i) {
      if ((left -= weights_[i]) < 0) return points_[i];
    }
    return points_[6];
  }
  std::array<double, 7> weights_{};
  std::array<double, 7> points_{};
};

// The parameter at which a source's mean is `score`.
double strength_for(double score) {
  double low = -2;
  double high = 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (PairSource(middle).mean() < score ? low : high) = middle;
  }
  return low;
}

double coverage(double score, int pairs, int runs) {
  const PairSource source(strength_for(score));
  base::Rng rng(17);
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    PairStatistics statistics;
    for (int i = 0; i < pairs; ++i) statistics.add(source.draw(rng));
    const Estimate estimate = statistics.score();
    covered += estimate.low <= source.mean() && source.mean() <= estimate.high ? 1 : 0;
  }
  return static_cast<double>(covered) / runs;
}

TEST(PairStatistics, IntervalCoversTheTruthNineteenTimesInTwenty) {
  const int runs = repetitions(4000);
  for (const double score : {0.5, 0.7, 0.9}) {
    for (const int pairs : {20, 100, 400}) {
      EXPECT_NEAR(coverage(score, pairs, runs), 0.95, 0.02) << score << " with " << pairs;
    }
  }
}

TEST(PairStatistics, EqualScoresStillHaveAnError) {
  PairStatistics won;
  for (int i = 0; i < 50; ++i) won.add(1.0);
  const Estimate estimate = won.score();
  EXPECT_EQ(estimate.mean, 1.0);
  EXPECT_NEAR(estimate.low, 0.96, 0.015);  // 100 games won of 100
  EXPECT_EQ(estimate.high, 1.0);

  PairStatistics even;
  for (int i = 0; i < 50; ++i) even.add(0.5);
  EXPECT_LT(even.score().low, 0.5);
  EXPECT_GT(even.score().high, 0.5);
}

TEST(PairStatistics, NothingIsKnownWithoutPairs) {
  const Estimate estimate = PairStatistics().score();
  EXPECT_EQ(estimate.low, 0.0);
  EXPECT_EQ(estimate.high, 1.0);
}

TEST(Estimate, AnEndThatIsNotFiniteIsNullInJson) {
  const auto json = to_json(10 * Estimate{0.5, -INFINITY, 0.75});
  EXPECT_EQ(json["mean"], 5);
  EXPECT_TRUE(json["low"].is_null());
  EXPECT_EQ(json["high"], 7.5);
}

TEST(Elo, IsTheLogisticScaleBothWays) {
  EXPECT_DOUBLE_EQ(elo_from_score(0.5), 0.0);
  EXPECT_NEAR(elo_from_score(10.0 / 11.0), 400.0, 1e-9);
  EXPECT_NEAR(elo_from_score(score_from_elo(-123.0)), -123.0, 1e-9);
  EXPECT_EQ(elo_from_score(1.0), kEloLimit);
  EXPECT_EQ(elo_from_score(0.0), -kEloLimit);
}

TEST(StudentT, AgreesWithTheTables) {
  EXPECT_NEAR(student_t_95(1), 12.706, 1e-3);
  EXPECT_NEAR(student_t_95(10), 2.228, 1e-3);
  EXPECT_NEAR(student_t_95(11), 2.201, 1e-3);
  EXPECT_NEAR(student_t_95(30), 2.042, 1e-3);
  EXPECT_NEAR(student_t_95(1000), 1.962, 1e-3);
}

// Share of runs that end with `wrong` when the truth is `elo`.
double error_rate(const Sprt& sprt, double elo, SprtVerdict wrong, int runs) {
  const PairSource source(strength_for(score_from_elo(elo)));
  base::Rng rng(23);
  int errors = 0;
  for (int run = 0; run < runs; ++run) {
    PairStatistics statistics;
    while (sprt.verdict(statistics) == SprtVerdict::kUndecided) statistics.add(source.draw(rng));
    errors += sprt.verdict(statistics) == wrong ? 1 : 0;
  }
  return static_cast<double>(errors) / runs;
}

TEST(SprtTest, ErrsAsOftenAsItSays) {
  const int runs = repetitions(3000);
  for (const double elo0 : {0.0, 100.0}) {
    const Sprt sprt{elo0, elo0 + 30, 0.05, 0.05};
    EXPECT_NEAR(error_rate(sprt, sprt.elo0, SprtVerdict::kAcceptH1, runs), 0.05, 0.02) << elo0;
    EXPECT_NEAR(error_rate(sprt, sprt.elo1, SprtVerdict::kAcceptH0, runs), 0.05, 0.02) << elo0;
  }
}

TEST(SprtTest, EqualScoresDecideNothingAtOnce) {
  const Sprt sprt{0, 10, 0.05, 0.05};
  PairStatistics statistics;
  statistics.add(0.5);
  EXPECT_TRUE(std::isfinite(sprt.log_likelihood_ratio(statistics)));
  EXPECT_EQ(sprt.verdict(statistics), SprtVerdict::kUndecided);
}

}  // namespace
}  // namespace arena
