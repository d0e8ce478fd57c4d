#include "training/student/run_precision.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/processor.h"
#include "base/stopwatch.h"
#include "nn/inference.h"
#include "nn/torch_threads.h"
#include "training/learner/autocast.h"
#include "training/learner/learner_parts.h"

namespace training {

std::optional<nn::Precision> requested_precision(const RunConfig& config,
                                                 const std::string& device) {
  return nn::requested_precision("selfplay.precision", config.selfplay.precision, device);
}

bool mixed_precision_pays(const nn::NetworkConfig& config, const std::string& device) {
  if (device != "cpu") return true;
  const auto known = nn::precisions_on(device);
  if (std::ranges::find(known, nn::Precision::kBFloat16) == known.end()) return false;
  if (config.channels < nn::kLeastChannels) return false;
  constexpr int kRows = 32;  // a large network has them in a second, too
  constexpr int kRounds = 4;
  constexpr double kClearly = 0.9;
  const nn::TorchThreads one(1);
  nn::Network network = build_network(config, torch::kCPU, 0);
  const auto planes =
      torch::ones({kRows, 8, 8, config.shape.planes}).permute({0, 3, 1, 2});  // as to_tensors()
  const auto globals = torch::ones({kRows, config.shape.globals});
  const auto seconds = [&](bool mixed) {
    const auto begin = std::chrono::steady_clock::now();
    torch::Tensor sum;
    {
      const Autocast autocast(mixed, false);
      const nn::NetworkOutputs out = network->forward(planes, globals);
      sum = out.policy.by_move.sum() + out.outcomes.sum();
      if (out.policy.by_pair.defined()) sum = sum + out.policy.by_pair.sum();
    }
    sum.backward();
    return base::seconds_since(begin);
  };
  // In turns: what else the machine does meets both.
  double mixed = 1e9, plain = 1e9;
  for (int i = 0; i < kRounds; ++i) {
    mixed = std::min(mixed, seconds(true));
    plain = std::min(plain, seconds(false));
  }
  return mixed < kClearly * plain;
}

bool learns_mixed(const RunConfig& config, const std::string& device, RunCounters& counters) {
  const std::string processor = device + ", " + base::processor();
  const bool known = !counters.processor.empty();
  if (known && counters.processor != processor) {
    spdlog::info("the run began on {}: it keeps the precisions that were chosen there",
                 counters.processor);
  }
  const std::string& asked = config.learner.precision;
  if (asked != "auto") {
    counters.mixed_precision = asked == "mixed";
  } else if (!known) {
    counters.mixed_precision = mixed_precision_pays(config.network, device);
  }
  if (counters.processor != processor) {
    spdlog::info("network {}x{} on {}: learns in {}", config.network.blocks,
                 config.network.channels, processor,
                 counters.mixed_precision ? "mixed precision" : "fp32");
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
