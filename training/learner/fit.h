#pragma once
// Whether a network overfits its games.

#include <cstdint>
#include <optional>
#include <utility>

#include "training/learner/learner.h"
#include "training/learner/replay_window.h"

namespace training {

// The losses of the learner's averaged weights on positions that they have learned from and on
// those of validation games; none where there are too few of the latter. Warns where the two lie
// far apart, once the window holds `full` positions or nearly so.
std::optional<std::pair<Learner::Fit, Learner::Fit>> measured_fit(Learner& learner,
                                                                  const ReplayWindow& window,
                                                                  const ReplayWindow& held_out,
                                                                  std::int64_t full);

}  // namespace training
