#include "training/run/plateau_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace training {
namespace {

constexpr int kStretch = kPlateauGenerations;
constexpr std::int64_t kEnoughPositions = kPlateauPositions;

// The advice of each generation from `first` on, by its gain at a loss of 1.
std::vector<PlateauAdvice> advice_of(const std::vector<double>& gains, PlateauState& state,
                                     std::int64_t positions = kEnoughPositions) {
  std::vector<PlateauAdvice> found;
  for (const double gain : gains) found.push_back(watch_plateau({1, 1 - gain, positions}, state));
  return found;
}

// How often there is advice to warn and to halve.
std::pair<int, int> times_advised(const std::vector<PlateauAdvice>& all) {
  return {static_cast<int>(std::ranges::count(all, PlateauAdvice::kWarn)),
          static_cast<int>(std::ranges::count(all, PlateauAdvice::kHalve))};
}

std::vector<double> repeated(int generations, double gain) {
  return std::vector<double>(static_cast<std::size_t>(generations), gain);
}

TEST(PlateauGuard, WarnsAfterAStretchWithoutGainAndHalvesAfterFurtherOnes) {
  PlateauState state;
  const auto found = advice_of(repeated((kPlateauHalvings + 4) * kStretch, 0), state);
  for (std::size_t i = 0; i + 1 < kStretch; ++i) EXPECT_EQ(found[i], PlateauAdvice::kNone);
  EXPECT_EQ(found[kStretch - 1], PlateauAdvice::kWarn);
  EXPECT_EQ(found[2 * kStretch - 1], PlateauAdvice::kHalve);
  EXPECT_EQ(times_advised(found), std::pair(1, kPlateauHalvings)) << "at most, and warned of once";
}

TEST(PlateauGuard, NoiseAroundNoGainIsAPlateauToo) {
  PlateauState state;
  std::vector<double> gains;
  for (int i = 0; i < 2 * kStretch; ++i) gains.push_back(i % 2 == 0 ? 0.1 : -0.1);
  EXPECT_EQ(times_advised(advice_of(gains, state)), std::pair(1, 1));
}

TEST(PlateauGuard, ALossThatRisesWithTheTargetsIsNone) {
  PlateauState state;
  double loss = 1;
  for (int i = 0; i < 10 * kStretch; ++i) {  // each generation's new games cost more than it gains
    const double before = loss + 0.02;
    loss = before - 0.01;
    EXPECT_EQ(watch_plateau({before, loss, kEnoughPositions}, state), PlateauAdvice::kNone) << i;
  }
  EXPECT_GT(loss, 2);
}

TEST(PlateauGuard, AStretchThatGainsMakesItForgetTheOneBefore) {
  PlateauState state;
  auto gains = repeated(kStretch, 0);
  for (const double gain : repeated(kStretch, 0.05)) gains.push_back(gain);
  for (const double gain : repeated(kStretch, 0)) gains.push_back(gain);
  EXPECT_EQ(times_advised(advice_of(gains, state)), std::pair(2, 0));
}

TEST(PlateauGuard, SaysNothingOfFewPositions) {
  PlateauState state;
  const auto few = kEnoughPositions / (3 * kStretch);
  EXPECT_EQ(times_advised(advice_of(repeated(2 * kStretch, 0), state, few)), std::pair(0, 0));
}

TEST(PlateauGuard, GoesOnFromItsState) {
  PlateauState state;
  advice_of(repeated(2 * kStretch - 1, 0), state);
  PlateauState read = state;
  EXPECT_EQ(advice_of({0}, read), std::vector{PlateauAdvice::kHalve});
}

// A generation whose learning gained nothing.
GenerationReport idle_generation() {
  GenerationReport report;
  report.fit_before = report.fit = {{0.5, 0.5}, {0.5, 0.5}};
  report.learned.steps = 1000000;
  return report;
}

TEST(PlateauGuard, HalvesTheRunsRateButNotInItsFinalAnneal) {
  RunConfig config;
  RunCounters counters;
  const auto pass = [&](double progress, const GenerationReport& report) {
    for (int i = 0; i < 2 * kStretch; ++i)
      guard_against_plateau(report, config, progress, counters);
  };
  pass(0.76, idle_generation());  // learner.anneal_share is 0.25
  GenerationReport unmeasured = idle_generation();
  unmeasured.fit_before.reset();
  pass(0.5, unmeasured);
  EXPECT_EQ(counters.learning_rate_scale, 1);
  pass(0.5, idle_generation());
  EXPECT_EQ(counters.learning_rate_scale, 0.5);
}

}  // namespace
}  // namespace training
