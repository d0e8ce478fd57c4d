#pragma once
// Means over samples that may depend on each other: what comes of one game is a cluster, clusters
// are independent draws, and games with the same first move are a stratum, whose share was fixed in
// advance. No part of this knows what a game is.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "arena/statistics.h"
#include "base/rng.h"

namespace studies {

using arena::Estimate;

// One observation.
struct Sample {
  std::uint64_t stratum = 0;
  std::uint64_t cluster = 0;  // lies in one stratum
  double value = 0;
};

// The mean, with the 95 % interval of the linearised variance between the clusters of each
// stratum (Cochran 1977, 5A and 9A; a stratum with one cluster goes with the others of that kind).
// Student's t, its degrees of freedom those of as many clusters of equal weight. Without two
// clusters the interval is infinite. REQUIRES: samples is not empty.
arena::Estimate mean_of(std::span<const Sample> samples);

// The same of differences that lie in [-most, most]. Where all of n clusters have none, their
// variance tells nothing and the interval is that of the rule of three: at 95 % at most 3 of n such
// clusters would differ (Hanley and Lippman-Hand 1983), each by at most that.
arena::Estimate mean_difference(std::span<const Sample> samples, double most);

// As mean_of() for values in [low, high], where the interval stays: Wilson's with that variance
// (arena::score_interval). Without samples: the middle, in [low, high].
arena::Estimate mean_within(std::span<const Sample> samples, double low, double high);

// A statistic of all items, and of resamples of them.
struct Resampled {
  double value = 0;
  std::vector<double> draws;  // rising; at least one

  double quantile(double fraction) const;  // of the draws
  // The value, with the inner 95 % of the draws (percentile bootstrap).
  arena::Estimate interval() const { return {value, quantile(0.025), quantile(0.975)}; }
};
// Bootstrap over clusters (Efron 1979). `statistic` is told how many times each item's cluster was
// drawn: with ones for the values, else with `rounds` resamples. Its answers all have one size and
// are finite.
using Statistic = std::function<std::vector<double>(std::span<const double> times)>;
std::vector<Resampled> resample(std::span<const std::uint64_t> clusters, int rounds, base::Rng rng,
                                const Statistic& statistic);
// The same as Resampled::interval().
std::vector<arena::Estimate> bootstrap(std::span<const std::uint64_t> clusters, int rounds,
                                       base::Rng rng, const Statistic& statistic);

// Where `f` comes to `target` between low and high, by bisection; empty where both ends lie on the
// same side of it. (Where it crosses several times: one of them.)
std::optional<double> crossing(const std::function<double(double)>& f, double target, double low,
                               double high);

// Shannon's entropy in nats of shares in proportion to these counts (plug-in: with few games it is
// too low, and at most the logarithm of their number). Its exponential is the effective number.
double entropy(std::span<const double> counts);

}  // namespace studies
