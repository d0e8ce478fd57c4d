#include "training/learner/outcome_target.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace training {

float search_share(int generation, const LearnerConfig& config) {
  if (config.search_value_rise == 0) return config.search_value_share;
  const float risen = static_cast<float>(generation) / static_cast<float>(config.search_value_rise);
  return std::lerp(config.search_value_share, 1.0f, std::min(risen, 1.0f));
}

float estimated(const selfplay::PlyRecord& ply) {
  const float sum =
      std::accumulate(ply.root_outcomes_white.begin(), ply.root_outcomes_white.end(), 0.0f);
  return sum > 0.5f ? sum : 0.0f;
}

// Forward from each ply, not backward through the game: so the rounding is the same whichever
// positions are asked for, and replaying a game costs more than this does.
rules::Outcomes outcome_target(const selfplay::GameRecord& game, std::size_t ply,
                               rules::Color side_to_move, const LearnerConfig& config) {
  const std::vector<selfplay::PlyRecord>& plies = game.plies;
  const float passed_on = config.search_value_plies / (1 + config.search_value_plies);
  const auto end = static_cast<std::size_t>(rules::index(game.outcome));
  rules::Outcomes white{};
  float rest = search_share(game.generation, config);
  white[end] = 1 - rest;
  for (; ply < plies.size() && rest > 0; ++ply) {
    const float sum = estimated(plies[ply]);
    if (sum == 0) continue;
    for (std::size_t i = 0; i < white.size(); ++i) {
      white[i] += rest * (1 - passed_on) * plies[ply].root_outcomes_white[i] / sum;
    }
    rest *= passed_on;
  }
  white[end] += rest;
  return rules::outcomes_seen_by(white, side_to_move);
}

}  // namespace training
