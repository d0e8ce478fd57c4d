#include "training/run/plateau_guard.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace training {

PlateauAdvice watch_plateau(const PlateauReading& reading, PlateauState& state) {
  if (state.generations == 0) state.loss = reading.before;
  state.gain += reading.before - reading.after;
  state.positions += reading.positions;
  ++state.generations;
  if (state.generations < kPlateauGenerations || state.positions < kPlateauPositions) {
    return PlateauAdvice::kNone;
  }
  const bool stalled = state.gain < kPlateauGain * state.loss;
  const bool again = stalled && state.stalled, halves = again && state.halvings < kPlateauHalvings;
  state = {.stalled = stalled, .halvings = state.halvings + (halves ? 1 : 0)};
  if (halves) return PlateauAdvice::kHalve;
  return stalled && !again ? PlateauAdvice::kWarn : PlateauAdvice::kNone;
}

void guard_against_plateau(const GenerationReport& report, const RunConfig& config, double progress,
                           RunCounters& counters) {
  if (!report.fit_before || !report.fit || progress > 1 - config.learner.anneal_share) return;
  const auto loss_of = [](const Fits& fits) {
    return total_loss(fits->first) + total_loss(fits->second);
  };
  const double after = loss_of(report.fit);
  const std::int64_t positions = report.learned.steps * config.learner.batch;
  const double loss = counters.plateau.loss;
  const auto advice =
      watch_plateau({loss_of(report.fit_before), after, positions}, counters.plateau);
  if (advice == PlateauAdvice::kNone) return;
  if (advice == PlateauAdvice::kHalve) counters.learning_rate_scale /= 2;
  spdlog::warn(
      "for {} generations or more learning has gained next to nothing on the window and on validation games "
      "(loss {:.3f}, now {:.3f}): {}",
      kPlateauGenerations, loss, after,
      advice == PlateauAdvice::kWarn
          ? "the learning rate may be too high; it is halved where that goes on, but a network that it has "
            "ruined recovers only in a new run at a lower one"
          : fmt::format("goes on at {} of the learning rate", counters.learning_rate_scale));
}

}  // namespace training
