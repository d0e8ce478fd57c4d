#include "training/learner/game_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/rng.h"

namespace training {

bool is_validation_game(const selfplay::GameRecord& game, const LearnerConfig& config) {
  if (config.hold_out == 0) return false;
  base::Rng rng(game.seed);
  return rng.below(static_cast<std::uint32_t>(config.hold_out)) == 0;
}

LearnerConfig validation_config(LearnerConfig config) {
  const int share = std::max(1, config.hold_out);
  config.window_min = std::max(1, config.window_min / share);
  config.window_max = std::max(1, config.window_max / share);
  return config;
}

std::int64_t GameWindow::capacity() const {
  const double least = config_.window_min;
  if (static_cast<double>(total_) <= least) return config_.window_min;
  const double grown =
      least * std::pow(static_cast<double>(total_) / least, config_.window_exponent);
  return std::min<std::int64_t>(static_cast<std::int64_t>(grown), config_.window_max);
}

float estimated(const selfplay::PlyRecord& ply) {
  const float sum =
      std::accumulate(ply.root_outcomes_white.begin(), ply.root_outcomes_white.end(), 0.0f);
  return sum > 0.5f ? sum : 0.0f;
}

// Forward from each ply, not backward through the game: so the rounding is the same whichever
// positions are asked for, and replaying a game costs more than this does.
std::array<float, rules::kOutcomes> outcome_target(const selfplay::GameRecord& game,
                                                   std::size_t ply, rules::Color side_to_move,
                                                   const LearnerConfig& config) {
  const std::vector<selfplay::PlyRecord>& plies = game.plies;
  const float passed_on = config.search_value_plies / (1 + config.search_value_plies);
  const auto end = static_cast<std::size_t>(rules::index(game.outcome));
  std::array<float, rules::kOutcomes> white{};
  float rest = config.search_value_share;
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
