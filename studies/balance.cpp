#include "studies/balance.h"

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

}  // namespace

BalanceFigures balance_figures(const arena::MatchConfig& config, const arena::MatchResult& match,
                               const std::string& player, std::optional<int> simulations) {
  BalanceFigures figures{
      player,      simulations, config.opening_plies, config.seed,
      match.rules, match.table, match.kept.size(),    match.forfeits_a + match.forfeits_b,
      {},          {}};
  figures.points_white = 10 * mean_by_pairs(match.kept, [&](const MatchGame& g) {
                           return match.table.white_points(g.outcome) / 10;
                         });
  for (std::size_t i = 0; i < figures.outcomes.size(); ++i) {
    figures.outcomes[i] = mean_by_pairs(match.kept, [&](const MatchGame& g) {
      return g.outcome == static_cast<rules::Outcome>(i) ? 1.0 : 0.0;
    });
  }
  return figures;
}

}  // namespace studies
