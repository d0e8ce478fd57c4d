#pragma once
// Whether a network overfits its games.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "training/learner/game_window.h"
#include "training/learner/learner.h"

namespace training {

// Measures a network on rows of the window, or of the validation games.
using MeasureFit = std::function<Learner::Fit(bool validation, int rows)>;

// The losses of a network on positions that it has learned from and on those of validation games;
// none where there are too few of the latter. Warns where the two lie far apart, once the window
// holds `full` positions or nearly so.
std::optional<std::pair<Learner::Fit, Learner::Fit>> measured_fit(const GameWindow& window,
                                                                  const GameWindow& held_out,
                                                                  std::int64_t full,
                                                                  const MeasureFit& measure);

}  // namespace training
