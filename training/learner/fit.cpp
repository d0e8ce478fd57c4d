#include "training/learner/fit.h"

#include <spdlog/spdlog.h>

namespace training {
namespace {

constexpr int kFitRows = 512;               // positions of either kind
constexpr std::int64_t kLeastHeldOut = 24;  // validation games: with fewer no gap is measured
constexpr double kFullWindow = 0.95;        // fraction of `full`: the first games are few
constexpr double kAlarmingGap = 0.3;        // nats

}  // namespace

std::optional<std::pair<Learner::Fit, Learner::Fit>> measured_fit(const GameWindow& window,
                                                                  const GameWindow& held_out,
                                                                  std::int64_t full,
                                                                  const MeasureFit& measure) {
  if (held_out.games() < kLeastHeldOut || held_out.size() == 0) return std::nullopt;
  const std::pair both(measure(false, kFitRows), measure(true, kFitRows));
  const auto& [known, unknown] = both;
  const bool alarming = unknown.outcome - known.outcome >= kAlarmingGap ||
                        unknown.policy - known.policy >= kAlarmingGap;
  if (alarming && static_cast<double>(window.size()) >= kFullWindow * static_cast<double>(full)) {
    spdlog::warn(
        "the network overfits its games: outcomes cost {:.2f} nats in the window and {:.2f} "
        "in validation games, policies {:.2f} and {:.2f}; "
        "less learner.reuse or a larger window may help",
        known.outcome, unknown.outcome, known.policy, unknown.policy);
  }
  return both;
}

}  // namespace training
