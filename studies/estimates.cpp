#include "studies/estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace studies {
namespace {

constexpr int kHalvings = 40;  // of the interval in which a crossing is looked for

struct Sum {
  double weight = 0;  // the number of samples
  double value = 0;
  double mean() const { return value / weight; }
};

struct Spread {
  double mean = 0;
  double variance = 0;  // of the mean
  double clusters = 0;  // that many of equal weight
  double degrees = 0;   // of freedom of the variance
};

// Strata with one cluster say nothing of their own variance: they become one stratum, and if that
// has but one cluster too, it joins the first of the others.
std::map<std::uint64_t, std::uint64_t> collapsed_strata(std::span<const Sample> samples) {
  std::map<std::uint64_t, std::map<std::uint64_t, int>> clusters;
  for (const Sample& s : samples) ++clusters[s.stratum][s.cluster];
  std::map<std::uint64_t, std::uint64_t> into;
  std::optional<std::uint64_t> lone, full;
  int lonely = 0;
  for (const auto& [stratum, inside] : clusters) {
    const bool alone = inside.size() == 1;
    if (alone && !lone) lone = stratum;
    if (!alone && !full) full = stratum;
    lonely += alone ? 1 : 0;
    into[stratum] = alone ? *lone : stratum;
  }
  if (lonely == 1 && full) into[*lone] = *full;
  return into;
}

Spread spread_of(std::span<const Sample> samples) {
  const auto into = collapsed_strata(samples);
  Sum all;
  std::map<std::uint64_t, Sum> strata;
  std::map<std::uint64_t, std::map<std::uint64_t, Sum>> clusters;
  for (const Sample& s : samples) {
    const std::uint64_t stratum = into.at(s.stratum);
    for (Sum* sum : {&all, &strata[stratum], &clusters[stratum][s.cluster]}) {
      ++sum->weight;
      sum->value += s.value;
    }
  }
  Spread spread;
  spread.mean = all.mean();
  double squares = 0;
  for (const auto& [stratum, inside] : clusters) {
    const double count = static_cast<double>(inside.size());
    const double mean = strata[stratum].mean();
    double scatter = 0;
    for (const auto& [cluster, sum] : inside) {
      const double off = sum.value - sum.weight * mean;
      scatter += off * off;
      squares += sum.weight * sum.weight;
    }
    if (count > 1) spread.variance += count / (count - 1) * scatter;
  }
  spread.variance /= all.weight * all.weight;
  spread.clusters = all.weight * all.weight / squares;
  spread.degrees = spread.clusters - static_cast<double>(clusters.size());
  return spread;
}

}  // namespace

arena::Estimate mean_of(std::span<const Sample> samples) {
  const Spread spread = spread_of(samples);
  const double t = arena::student_t_95(std::max(1, static_cast<int>(spread.degrees)));
  const double reach = spread.clusters > 1.0 + 1e-9 ? t * std::sqrt(spread.variance)
                                                    : std::numeric_limits<double>::infinity();
  return {spread.mean, spread.mean - reach, spread.mean + reach};
}

arena::Estimate mean_difference(std::span<const Sample> samples, double most) {
  if (std::ranges::any_of(samples, [](const Sample& sample) { return sample.value != 0; })) {
    return mean_of(samples);
  }
  const double reach = most * std::min(1.0, 3 / spread_of(samples).clusters);
  return {0, -reach, reach};
}

arena::Estimate mean_within(std::span<const Sample> samples, double low, double high) {
  if (samples.empty()) return {(low + high) / 2, low, high};
  const Spread spread = spread_of(samples);
  const double range = high - low;
  const arena::Estimate share =
      arena::score_interval({.mean = std::clamp((spread.mean - low) / range, 0.0, 1.0),
                             .variance = spread.variance * spread.clusters / (range * range),
                             .count = spread.clusters,
                             .degrees = spread.degrees,
                             .independent_ratio = 1});
  return {low + range * share.mean, low + range * share.low, low + range * share.high};
}

double Resampled::quantile(double fraction) const {
  const double at = fraction * static_cast<double>(draws.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, draws.size() - 1);
  return std::lerp(draws[below], draws[above], at - static_cast<double>(below));
}

std::vector<Resampled> resample(std::span<const std::uint64_t> clusters, int rounds, base::Rng rng,
                                const Statistic& statistic) {
  std::map<std::uint64_t, std::vector<std::size_t>> items;
  for (std::size_t i = 0; i < clusters.size(); ++i) items[clusters[i]].push_back(i);
  std::vector<const std::vector<std::size_t>*> groups;
  groups.reserve(items.size());
  for (const auto& [cluster, inside] : items) groups.push_back(&inside);

  std::vector<Resampled> resampled;
  for (const double value : statistic(std::vector<double>(clusters.size(), 1.0))) {
    resampled.push_back({value, {}});
  }
  std::vector<double> times(clusters.size());
  for (int round = 0; round < rounds; ++round) {
    std::fill(times.begin(), times.end(), 0.0);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto& group = *groups[rng.below(static_cast<std::uint32_t>(groups.size()))];
      for (const std::size_t item : group) times[item] += 1;
    }
    const std::vector<double> values = statistic(times);
    for (std::size_t i = 0; i < values.size(); ++i) resampled[i].draws.push_back(values[i]);
  }
  for (Resampled& one : resampled) std::ranges::sort(one.draws);
  return resampled;
}

std::vector<arena::Estimate> bootstrap(std::span<const std::uint64_t> clusters, int rounds,
                                       base::Rng rng, const Statistic& statistic) {
  std::vector<arena::Estimate> estimates;
  for (const Resampled& one : resample(clusters, rounds, rng, statistic)) {
    estimates.push_back(one.interval());
  }
  return estimates;
}

std::optional<double> crossing(const std::function<double(double)>& f, double target, double low,
                               double high) {
  const double at_low = f(low) - target;
  const double at_high = f(high) - target;
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  if ((at_low < 0) == (at_high < 0)) return std::nullopt;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle) - target < 0) == (at_low < 0) ? low : high) = middle;
  }
  return (low + high) / 2;
}

double entropy(std::span<const double> counts) {
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  double nats = 0;
  for (const double count : counts) {
    if (count > 0) nats -= count / sum * std::log(count / sum);
  }
  return nats;
}

}  // namespace studies
