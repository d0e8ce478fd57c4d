#include "studies/balance.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace studies {
namespace {

using arena::MatchGame;

// The mean of `value` (in [0, 1]) over the games, whose pairs are independent.
template <class Value>
Estimate mean_by_pairs(const std::vector<MatchGame>& games, Value value) {
  arena::PairStatistics pairs;
  for (std::size_t i = 0; i + 1 < games.size(); i += 2) {
    pairs.add((value(games[i]) + value(games[i + 1])) / 2);
  }
  return pairs.score();
}

// The correlation within pairs (Fisher 1925, intraclass), with the bootstrap's interval over them.
std::optional<Estimate> correlation_in_pairs(const std::vector<double>& points,
                                             std::uint64_t seed) {
  const std::size_t pairs = points.size() / 2;
  const auto correlation = [&](std::span<const double> times) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      sum += times[i] * (points[2 * i] + points[2 * i + 1]);
      weight += 2 * times[i];
    }
    const double mean = sum / weight;
    double together = 0, scatter = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const double a = points[2 * i] - mean, b = points[2 * i + 1] - mean;
      together += times[i] * a * b;
      scatter += times[i] * (a * a + b * b) / 2;
    }
    return std::vector{scatter > 0 ? together / scatter : 0};
  };
  if (pairs == 0 || std::ranges::all_of(points, [&](double p) { return p == points[0]; })) {
    return std::nullopt;
  }
  constexpr int kBootstraps = 1000;
  std::vector<std::uint64_t> each(pairs);
  std::iota(each.begin(), each.end(), std::uint64_t{0});
  return bootstrap(each, kBootstraps, base::Rng(seed), correlation).front();
}

}  // namespace

BalanceFigures balance_figures(const arena::MatchConfig& config, const arena::MatchResult& match,
                               const std::string& player, std::optional<int> simulations) {
  BalanceFigures figures{player,
                         simulations,
                         config.opening_plies,
                         config.seed,
                         match.rules,
                         match.table,
                         match.kept.size(),
                         match.forfeits_a + match.forfeits_b,
                         {},
                         {},
                         {}};
  figures.points_white = 10 * mean_by_pairs(match.kept, [&](const MatchGame& g) {
                           return match.table.white_points(g.outcome) / 10;
                         });
  std::vector<double> points;
  for (const MatchGame& game : match.kept) {
    points.push_back(match.table.white_points(game.outcome));
  }
  figures.pair_correlation = correlation_in_pairs(points, config.seed);
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    figures.outcomes[i] = mean_by_pairs(match.kept, [&](const MatchGame& g) {
      return g.outcome == static_cast<rules::Outcome>(i) ? 1.0 : 0.0;
    });
  }
  return figures;
}

}  // namespace studies
