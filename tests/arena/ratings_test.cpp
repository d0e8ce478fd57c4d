#include "arena/ratings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "base/rng.h"

namespace arena {
namespace {

// Pairs of games with ten points won or lost; half of the second games repeat the first one's
// winner, as an opening that decides would have it.
Encounter simulated(const std::string& a, const std::string& b, double elo_difference, int pairs,
                    base::Rng& rng) {
  Encounter encounter{a, b, {}};
  const double chance = score_from_elo(elo_difference);
  for (int i = 0; i < pairs; ++i) {
    const bool first = rng.uniform() < chance;
    const bool second = rng.uniform() < 0.5 ? first : rng.uniform() < chance;
    encounter.pairs.add((first ? 0.5 : 0.0) + (second ? 0.5 : 0.0));
  }
  return encounter;
}

TEST(Ratings, RecoverPlantedStrengthsAsOftenAsTheirIntervalsSay) {
  const std::map<std::string, double> truth{
      {"random", 0}, {"greedy", 250}, {"one", 420}, {"two", 500}, {"three", 720}};
  constexpr int kRuns = 400;
  base::Rng rng(5);
  int covered = 0, differences_covered = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<Encounter> encounters;
    for (const auto& [a, elo_a] : truth) {
      for (const auto& [b, elo_b] : truth) {
        const double difference = elo_a - elo_b;
        if (a < b && std::abs(difference) < 400) {
          encounters.push_back(simulated(a, b, difference, 100, rng));
        }
      }
    }
    std::map<std::string, Rating> found;
    for (const Rating& rating : fit_ratings(encounters)) found[rating.player] = rating;
    for (const auto& [player, elo] : truth) {
      const Estimate& estimate = found[player].elo;
      if (player != "random") covered += estimate.low <= elo && elo <= estimate.high ? 1 : 0;
    }
    const Rating& one = found["one"];
    const Rating& two = found["two"];
    const double error = 1.959964 * std::sqrt(one.covariance.at("one") + two.covariance.at("two") -
                                              2 * one.covariance.at("two"));
    const double difference = two.elo.mean - one.elo.mean;
    differences_covered += std::abs(difference - (truth.at("two") - truth.at("one"))) <= error;
    // Most of what is unknown of either is how far both are from the anchor.
    EXPECT_LT(error, (two.elo.high - two.elo.low) / 2);
    EXPECT_EQ(two.covariance.at("random"), 0);
  }
  EXPECT_NEAR(covered / (4.0 * kRuns), 0.95, 0.02);
  EXPECT_NEAR(differences_covered / double{kRuns}, 0.95, 0.03);
}

TEST(Ratings, OfTwoPlayersAreTheirMatch) {
  base::Rng rng(7);
  const Encounter encounter = simulated("strong", "random", 200, 1000, rng);
  const auto ratings = fit_ratings({encounter});
  ASSERT_EQ(ratings.size(), 2u);
  EXPECT_EQ(ratings[0].player, "strong");
  EXPECT_EQ(ratings[0].games, 2000);
  const Estimate match = elo_from_score(encounter.pairs.score());
  EXPECT_NEAR(ratings[0].elo.mean, match.mean, 1);
  EXPECT_NEAR(ratings[0].elo.high - ratings[0].elo.low, match.high - match.low, 2);
  EXPECT_EQ(ratings[1].elo.mean, 0);
  EXPECT_EQ(ratings[1].elo.low, 0);
}

TEST(Ratings, AreFiniteWhereEverythingWasWon) {
  Encounter won{"a", "random", {}};
  for (int i = 0; i < 50; ++i) won.pairs.add(1);
  const auto ratings = fit_ratings({won});
  EXPECT_GT(ratings[0].elo.mean, 600);
  EXPECT_LT(ratings[0].elo.mean, 1500);
  EXPECT_TRUE(std::isfinite(ratings[0].elo.low));
  EXPECT_LT(ratings[0].elo.low, ratings[0].elo.mean - 100);
}

TEST(Ratings, DoNotDependOnWhoIsCalledA) {
  base::Rng rng(9);
  const Encounter there = simulated("a", "random", 100, 60, rng);
  Encounter back{"random", "a", {}};
  base::Rng again(9);
  for (int i = 0; i < 60; ++i) back.pairs.add(i % 3 == 0 ? 0.5 : 0.0);
  Encounter swapped{"a", "random", {}};
  for (int i = 0; i < 60; ++i) swapped.pairs.add(i % 3 == 0 ? 0.5 : 1.0);
  EXPECT_NEAR(fit_ratings({there, back})[0].elo.mean, fit_ratings({there, swapped})[0].elo.mean,
              1e-6);
}

TEST(Ratings, NameThePlayerThatNobodyConnects) {
  base::Rng rng(11);
  try {
    fit_ratings({simulated("a", "random", 0, 10, rng), simulated("b", "c", 0, 10, rng)});
    FAIL() << "a player without a scale was rated";
  } catch (const base::InputError& error) {
    EXPECT_STREQ(error.what(), "ratings: no games connect 'b' with 'random'");
  }
}

TEST(Ratings, GoIntoJson) {
  Encounter even{"a", "random", {}};
  for (int i = 0; i < 10; ++i) even.pairs.add(i % 2);
  const auto json = to_json(fit_ratings({even}));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["games"], 20);
  EXPECT_NEAR(json[0]["elo"]["mean"].get<double>(), 0, 1e-6);
  EXPECT_GT(json[0]["covariance"]["a"].get<double>() + json[1]["covariance"]["a"].get<double>(), 0);
}

}  // namespace
}  // namespace arena
