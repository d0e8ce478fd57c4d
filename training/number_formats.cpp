#include "training/number_formats.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "nn/processor.h"
#include "training/learner.h"

namespace training {
namespace {

std::string processor_of(const std::string& device) { return device + ", " + nn::processor(); }

}  // namespace

void settle_on_processor(const nn::NetworkConfig& network, const std::string& device,
                         RunCounters& counters) {
  const std::string processor = processor_of(device);
  if (counters.processor == processor) return;
  if (!counters.processor.empty()) {
    spdlog::info("the run was on {} in {}", counters.processor, counters.precision);
  }
  counters.precision.clear();
  counters.mixed_precision = mixed_precision_pays(network, device);
  counters.processor = processor;
  spdlog::info("network {}x{} on {}: learns in {}", network.blocks, network.channels, processor,
               counters.mixed_precision ? "bf16 and fp32" : "fp32");
}

std::optional<nn::Precision> chosen_precision(const RunCounters& counters,
                                              const std::string& device) {
  const auto chosen = nn::precision_of(counters.precision);
  const auto known = nn::precisions_on(device);
  if (!chosen || counters.processor != processor_of(device) ||
      std::ranges::count(known, *chosen) == 0) {
    return std::nullopt;
  }
  return chosen;
}

nn::Precision playing_precision(const nn::NetworkFile& network, const std::string& device,
                                RunCounters& counters) {
  auto precision = chosen_precision(counters, device);
  if (!precision) {
    precision = nn::fastest_precision(network, device);
    counters.precision = nn::name(*precision);
    spdlog::info("plays in {}", counters.precision);
  }
  const auto deviation = nn::excess_deviation(network, *precision);
  if (!deviation) return *precision;
  spdlog::warn("generation {} plays in fp32: int8 is off by {:.3f} in policies, {:.3f} in outcomes",
               counters.generation, deviation->policy, deviation->outcomes);
  return nn::Precision::kFloat32;
}

}  // namespace training
