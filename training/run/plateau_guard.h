#pragma once
// Tells a learning rate at which a run no longer learns.

#include <cstdint>

#include "training/run/generation_report.h"
#include "training/settings/run_config.h"
#include "training/settings/run_options.h"

namespace training {

// One generation's learning: the loss, on positions of the window and on as many of validation
// games, of the network that had played and of the one that learned. In self-play games and targets
// move, and a healthy run's loss may rise for hours; what learning gains on the same positions
// stays positive, as the window's newest games are new to it.
struct PlateauReading {
  double before = 0, after = 0;  // nats
  std::int64_t positions = 0;    // learned from
};

enum class PlateauAdvice { kNone, kWarn, kHalve };

// Takes a generation's reading into the state. A stretch is at least kPlateauGenerations and
// kPlateauPositions long; where it gained less than kPlateauGain of the loss, the advice is to
// warn, after another such stretch to halve the learning rate, at most kPlateauHalvings times.
PlateauAdvice watch_plateau(const PlateauReading& reading, PlateauState& state);

// Does so with a generation's report, where it has a reading and the learning rate is not yet in
// its final anneal (`progress` as in Learner::train()); warns and halves the rate in the log and
// the counters.
void guard_against_plateau(const GenerationReport& report, const RunConfig& config, double progress,
                           RunCounters& counters);

inline constexpr int kPlateauGenerations = 12;
inline constexpr std::int64_t kPlateauPositions = 100000;
inline constexpr double kPlateauGain = 0.015;
inline constexpr int kPlateauHalvings = 4;

}  // namespace training
