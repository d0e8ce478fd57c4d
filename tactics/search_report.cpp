#include "tactics/search_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactics {

std::size_t sample_by_weight(std::span<const double> weights, double temperature, base::Rng& rng) {
  const double greatest = *std::max_element(weights.begin(), weights.end());
  std::vector<double> powers;
  powers.reserve(weights.size());
  for (const double weight : weights) {
    powers.push_back(weight > 0 ? std::pow(weight / greatest, 1 / temperature) : 0);
  }
  double left = rng.uniform() * std::accumulate(powers.begin(), powers.end(), 0.0);
  std::size_t drawn = 0;  // the last that can be, where rounding leaves a rest
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (powers[i] == 0) continue;
    drawn = i;
    if ((left -= powers[i]) < 0) break;
  }
  return drawn;
}

const RootMove& sample_move(const std::vector<RootMove>& moves, double temperature,
                            base::Rng& rng) {
  if (temperature <= 0 || moves.front().proven) return moves.front();
  std::vector<double> weights;
  for (const RootMove& move : moves) {
    const bool refuted = move.proven && move.value_stm < moves.front().value_stm;
    weights.push_back(refuted ? 0 : move.weight);
  }
  weights.front() = std::max(weights.front(), 1.0);
  return moves[sample_by_weight(weights, temperature, rng)];
}

}  // namespace tactics
