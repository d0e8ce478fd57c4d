#include "training/learner/game_window.h"

#include <algorithm>
#include <cmath>

namespace training {

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

}  // namespace training
