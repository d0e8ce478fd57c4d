#include "studies/estimates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace studies {
namespace {

TEST(MeanOf, IndependentSamplesHaveStudentsInterval) {
  std::vector<Sample> samples;
  for (std::uint64_t i = 0; i < 5; ++i) {
    samples.push_back({.cluster = i, .value = static_cast<double>(i)});
  }
  const arena::Estimate mean = mean_of(samples);
  EXPECT_DOUBLE_EQ(mean.mean, 2);
  const double error = std::sqrt(2.5 / 5);  // variance 2.5
  EXPECT_NEAR(mean.high - 2, 2.7764 * error, 1e-3);
  EXPECT_NEAR(2 - mean.low, 2.7764 * error, 1e-3);
}

TEST(MeanOf, RepetitionsInsideAClusterAddNoKnowledge) {
  std::vector<Sample> once, often;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const Sample sample{.cluster = i, .value = static_cast<double>(i % 3)};
    once.push_back(sample);
    for (int k = 0; k < 10; ++k) often.push_back(sample);
  }
  EXPECT_NEAR(mean_of(once).high, mean_of(often).high, 1e-9);
  EXPECT_NEAR(mean_within(once, 0, 10).high, mean_within(often, 0, 10).high, 1e-9);
}

TEST(MeanOf, DifferencesBetweenStrataAreNoScatter) {
  std::vector<Sample> apart, together;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const double value = static_cast<double>(i % 2 * 8 + i / 2 % 2);
    apart.push_back({.stratum = i % 2, .cluster = i, .value = value});
    together.push_back({.stratum = 0, .cluster = i, .value = value});
  }
  const arena::Estimate strata = mean_of(apart), one = mean_of(together);
  EXPECT_DOUBLE_EQ(strata.mean, one.mean);
  EXPECT_LT((strata.high - strata.low) * 5, one.high - one.low);
}

TEST(MeanDifference, IsNotSureOfZeroWhereNothingDiffered) {
  std::vector<Sample> samples;
  for (std::uint64_t i = 0; i < 300; ++i) samples.push_back({.cluster = i, .value = 0});
  const arena::Estimate none = mean_difference(samples, 0.5);
  EXPECT_EQ(none.mean, 0);
  EXPECT_DOUBLE_EQ(none.high, 0.5 * 3 / 300);
  EXPECT_DOUBLE_EQ(none.low, -none.high);
  samples.front().value = 0.5;
  EXPECT_EQ(mean_difference(samples, 0.5).high, mean_of(samples).high);
  EXPECT_EQ(mean_difference({samples.data() + 1, 2}, 0.5).high,
            0.5);  // of two games all may differ
}

TEST(MeanOf, OneClusterProvesNothing) {
  const std::vector<Sample> samples{{.cluster = 1, .value = 3}, {.cluster = 1, .value = 4}};
  EXPECT_EQ(mean_of(samples).high, std::numeric_limits<double>::infinity());
  const arena::Estimate bounded = mean_within(samples, 0, 10);
  EXPECT_LT(bounded.low, 1);
  EXPECT_GT(bounded.high, 9);
  EXPECT_EQ(mean_within({}, 0, 10).high, 10);
}

TEST(MeanWithin, StaysInsideAndIsNeverSure) {
  std::vector<Sample> samples;
  for (std::uint64_t i = 0; i < 50; ++i) samples.push_back({.cluster = i, .value = 10});
  const arena::Estimate mean = mean_within(samples, 0, 10);
  EXPECT_EQ(mean.mean, 10);
  EXPECT_EQ(mean.high, 10);
  EXPECT_LT(mean.low, 9.9);
  EXPECT_GT(mean.low, 8.5);
}

TEST(Bootstrap, OfAMeanIsItsNormalInterval) {
  base::Rng rng(3);
  std::vector<std::uint64_t> clusters;
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 400; ++i) {
    clusters.push_back(i);
    values.push_back(rng.normal());
  }
  const auto mean = [&](std::span<const double> times) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += times[i] * values[i];
      weight += times[i];
    }
    return std::vector<double>{sum / weight};
  };
  const arena::Estimate estimate = bootstrap(clusters, 2000, rng, mean).at(0);
  EXPECT_NEAR(estimate.high - estimate.low, 2 * 1.96 / 20, 0.02);
  EXPECT_NEAR((estimate.high + estimate.low) / 2, estimate.mean, 0.01);
}

TEST(Crossing, IsFoundFromEitherSideOrNotAtAll) {
  const auto rising = [](double x) { return x * x; };
  EXPECT_NEAR(crossing(rising, 2, 0, 10).value(), std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(crossing([](double x) { return -x; }, -3, 0, 10).value(), 3, 1e-9);
  EXPECT_EQ(crossing(rising, 101, 0, 10), std::nullopt);
  EXPECT_EQ(crossing(rising, 0, 0, 10), 0);
}

TEST(Entropy, CountsEffectiveChoices) {
  const std::vector<double> even{5, 5, 5, 5}, one{7, 0};
  EXPECT_NEAR(std::exp(entropy(even)), 4, 1e-12);
  EXPECT_EQ(entropy(one), 0);
}

}  // namespace
}  // namespace studies
