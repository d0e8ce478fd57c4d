#include "mcts/bounds.h"

namespace mcts {

Prices::Prices(const rules::ScoringTable& table) {
  std::array<double, rules::kOutcomes> points = table.points_white;
  std::sort(points.begin(), points.end());
  const auto last = std::unique(points.begin(), points.end());
  top_ = static_cast<std::uint8_t>(last - points.begin() - 1);
  for (std::size_t i = 0; i <= top_; ++i) {
    rank_values_[i] = static_cast<float>(rules::value_stm(points[i], rules::Color::kWhite));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto place = std::lower_bound(points.begin(), last, table.points_white[i]);
    ranks_[i] = static_cast<std::uint8_t>(place - points.begin());
    values_[i] = rank_values_[ranks_[i]];
  }
}

Bounds Prices::around(double lowest_white, double highest_white) const {
  constexpr double kRounding = 1e-6;
  int lower = 0, upper = top_;
  while (lower < upper && static_cast<double>(value_white(lower + 1)) <= lowest_white + kRounding) {
    ++lower;
  }
  while (upper > lower &&
         static_cast<double>(value_white(upper - 1)) >= highest_white - kRounding) {
    --upper;
  }
  if (lower < upper) return between(lower, upper);
  return lower > 0 ? between(lower - 1, upper) : between(lower, upper + 1);
}

rules::Outcome Prices::outcome_of(int rank) const {
  using enum rules::Outcome;
  constexpr std::array kLikeliestFirst{kBlackWins,        kWhiteWins,        kImpasseEqual,
                                       kImpasseBlackMore, kImpasseWhiteMore, kWhiteStalemated,
                                       kBlackStalemated};
  return *std::ranges::find_if(kLikeliestFirst, [&](rules::Outcome outcome) {
    return ranks_[static_cast<std::size_t>(outcome)] == rank;
  });
}

}  // namespace mcts
