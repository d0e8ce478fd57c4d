#include "training/run_precision.h"

#include <spdlog/spdlog.h>

#include <optional>

#include "base/processor.h"
#include "training/learner.h"
#include "training/mixed_precision.h"

namespace training {
namespace {

constexpr const char* kAuto = "auto";

const char* mixed_name(bool mixed) { return mixed ? "mixed precision" : "fp32"; }

}  // namespace

std::optional<nn::Precision> requested_precision(const RunConfig& config,
                                                 const std::string& device) {
  return nn::requested_precision("selfplay.precision", config.selfplay.precision, device);
}

bool learns_mixed(const RunConfig& config, const std::string& device, RunCounters& counters) {
  const std::string processor = device + ", " + base::processor();
  const bool known = !counters.processor.empty();
  if (known && counters.processor != processor) {
    spdlog::info("the run began on {}: it keeps the precisions that were chosen there",
                 counters.processor);
  }
  const std::string& asked = config.learner.precision;
  if (asked != kAuto) {
    counters.mixed_precision = asked == "mixed";
  } else if (!known) {
    counters.mixed_precision = mixed_precision_pays(config.network, device);
  }
  if (counters.processor != processor) {
    spdlog::info("network {}x{} on {}: learns in {}", config.network.blocks,
                 config.network.channels, processor, mixed_name(counters.mixed_precision));
  }
  counters.processor = processor;
  return counters.mixed_precision;
}

nn::Precision precision_of_play(const RunConfig& config, const nn::NetworkFile& network,
                                const std::string& device, RunCounters& counters) {
  if (const auto asked = requested_precision(config, device)) return *asked;
  for (const nn::Precision known : nn::precisions_on(device)) {
    if (nn::name(known) == counters.precision) return known;
  }
  if (!counters.precision.empty()) spdlog::info("{} is not to be had here", counters.precision);
  const nn::Precision fastest = nn::fastest_precision(network, device);
  counters.precision = nn::name(fastest);
  spdlog::info("plays in {}", counters.precision);
  return fastest;
}

nn::Precision precision_for(const nn::NetworkFile& network, nn::Precision of_play,
                            std::int64_t generation) {
  const auto deviation = nn::excess_deviation(network, of_play);
  if (!deviation) return of_play;
  spdlog::warn("generation {} plays in fp32: int8 is off by {:.3f} in policies, {:.3f} in outcomes",
               generation, deviation->policy, deviation->outcomes);
  return nn::Precision::kFloat32;
}

}  // namespace training
