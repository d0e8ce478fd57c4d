#include "arena/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace arena {
namespace {

constexpr double kRatioWeight = 0.25;  // of what a variance is shrunk to
// The variance a test starts from, that of two even games that are always won or lost, and its
// weight in pairs.
constexpr double kPriorVariance = 0.125;
constexpr double kPriorPairs = 2;
constexpr int kLeastPairs = 8;  // no verdict before

}  // namespace

nlohmann::ordered_json to_json(const Estimate& e) {
  using nlohmann::ordered_json;
  const auto end = [](double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); };
  return {{"mean", e.mean}, {"low", end(e.low)}, {"high", end(e.high)}};
}

void PairStatistics::add(double score) {  // Welford 1962
  ++pairs_;
  const double delta = score - mean_;
  mean_ += delta / pairs_;
  scatter_ += delta * (score - mean_);
}

double variance_ratio(double scatter, double degrees, double mean, double independent_ratio) {
  return (scatter + kRatioWeight * independent_ratio) /
         (degrees * mean * (1 - mean) + kRatioWeight);
}

Estimate score_interval(const ScoreSample& sample) {
  const double mean = sample.mean;
  const double bernoulli = mean * (1.0 - mean);
  const double degrees = std::max(1.0, sample.degrees);
  const double trials = sample.count / variance_ratio(degrees * sample.variance, degrees, mean,
                                                      sample.independent_ratio);
  const double t = student_t_95(static_cast<int>(degrees));
  const double t2 = t * t;
  const double center = (mean + t2 / (2 * trials)) / (1 + t2 / trials);
  const double reach =
      t / (1 + t2 / trials) * std::sqrt(bernoulli / trials + t2 / (4 * trials * trials));
  return {mean, std::clamp(center - reach, 0.0, mean), std::clamp(center + reach, mean, 1.0)};
}

Estimate PairStatistics::score() const {
  if (pairs_ == 0) return {0.5, 0.0, 1.0};
  const double degrees = pairs_ - 1.0;
  return score_interval({.mean = mean_,
                         .variance = degrees > 0 ? scatter_ / degrees : 0.0,
                         .count = static_cast<double>(pairs_),
                         .degrees = degrees,
                         .independent_ratio = kIndependentRatio});
}

double elo_from_score(double score) {
  if (score <= 0) return -kEloLimit;
  if (score >= 1) return kEloLimit;
  return std::clamp(-400.0 * std::log10(1.0 / score - 1.0), -kEloLimit, kEloLimit);
}

double score_from_elo(double elo) { return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0)); }

Estimate elo_from_score(const Estimate& score) {
  return {elo_from_score(score.mean), elo_from_score(score.low), elo_from_score(score.high)};
}

double Sprt::log_likelihood_ratio(const PairStatistics& statistics) const {
  if (statistics.pairs() == 0) return 0;
  const double n = statistics.pairs();
  const double variance = (statistics.scatter() + kPriorPairs * kPriorVariance) / (n + kPriorPairs);
  const double off0 = statistics.mean() - score_from_elo(elo0);
  const double off1 = statistics.mean() - score_from_elo(elo1);
  return n / 2 * std::log((variance + off0 * off0) / (variance + off1 * off1));
}

double Sprt::lower_bound() const { return std::log(beta / (1 - alpha)); }
double Sprt::upper_bound() const { return std::log((1 - beta) / alpha); }

SprtVerdict Sprt::verdict(const PairStatistics& statistics) const {
  if (statistics.pairs() < kLeastPairs) return SprtVerdict::kUndecided;
  const double ratio = log_likelihood_ratio(statistics);
  if (ratio >= upper_bound()) return SprtVerdict::kAcceptH1;
  return ratio <= lower_bound() ? SprtVerdict::kAcceptH0 : SprtVerdict::kUndecided;
}

double student_t_95(int degrees) {
  constexpr std::array<double, 10> kFirst{12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                          2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
  if (degrees <= static_cast<int>(kFirst.size()))
    return kFirst[static_cast<std::size_t>(degrees - 1)];
  // Cornish–Fisher expansion (Abramowitz and Stegun 26.7.5).
  const double z = kNormal95;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  const double d = degrees;
  return z + (z3 + z) / (4 * d) + (5 * z5 + 16 * z3 + 3 * z) / (96 * d * d) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * d * d * d);
}

}  // namespace arena
