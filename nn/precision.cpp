#include "nn/precision.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "base/errors.h"
#include "base/stopwatch.h"
#include "nn/inference.h"
#include "nn/int8_calibration.h"
#include "nn/libraries.h"
#include "nn/torch_threads.h"

namespace nn {
namespace {

constexpr int kTimedRows = 64;               // for the measurement of time
constexpr int kDeviationRows = 128;          // for the measurement of deviation
constexpr std::uint64_t kMeasuringSeed = 2;  // another than that of the calibration
constexpr double kGain = 0.95;  // fraction of fp32's time below which another is preferred

double seconds(Inference& inference, const Batch& batch) {
  Outputs outputs;
  double best = 1e9;
  for (int i = 0; i < 4; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    inference.run(batch, outputs);
    best = std::min(best, base::seconds_since(begin));
  }
  return best;
}

std::unique_ptr<Inference> inference(const NetworkFile& network, const std::string& device,
                                     Precision precision) {
  return std::make_unique<Inference>(
      network.config, network.weights,
      InferenceOptions{device, precision, std::max(kTimedRows, kDeviationRows),
                       network.repertoire});
}

Deviation deviation(const NetworkFile& network, Inference& exact, Inference& other) {
  const Batch batch = random_play(network.repertoire, kDeviationRows, kMeasuringSeed);
  Outputs expected, found;
  exact.run(batch, expected);
  other.run(batch, found);
  return deviation(batch, expected, found);
}

}  // namespace

std::string name(Precision precision) {
  constexpr std::array kNames{"fp32", "bf16", "fp16", "int8"};
  return kNames[static_cast<std::size_t>(precision)];
}

std::vector<Precision> precisions_on(const std::string& device) {
  if (device != "cpu") return {Precision::kFloat32, Precision::kBFloat16, Precision::kFloat16};
  std::vector<Precision> known = library_precisions();
  known.insert(known.begin(), Precision::kFloat32);
  return known;
}

std::optional<Precision> requested_precision(const std::string& what, const std::string& asked,
                                             const std::string& device) {
  std::string known = "auto";
  if (asked == known) return std::nullopt;
  for (const Precision precision : precisions_on(device)) {
    if (name(precision) == asked) return precision;
    known += " " + name(precision);
  }
  throw base::InputError(what + " " + asked + ": expected on " + device + " one of " + known);
}

Deviation deviation_from_fp32(const NetworkFile& network, Precision precision) {
  const TorchThreads one(1);
  const auto exact = inference(network, "cpu", Precision::kFloat32);
  return deviation(network, *exact, *inference(network, "cpu", precision));
}

bool within(const Deviation& deviation, const Deviation& tolerated) {
  return deviation.policy <= tolerated.policy && deviation.outcomes <= tolerated.outcomes;
}

std::optional<Deviation> excess_deviation(const NetworkFile& network, Precision precision) {
  if (precision != Precision::kInt8) return std::nullopt;
  const Deviation deviation = deviation_from_fp32(network, precision);
  if (within(deviation, kTolerated)) return std::nullopt;
  return deviation;
}

Precision fastest_precision(const NetworkFile& network, const std::string& device,
                            const Deviation& tolerated) {
  if (device != "cpu") return Precision::kBFloat16;
  const std::vector<Precision> known = precisions_on(device);
  if (network.config.channels < kLeastChannels || known.size() == 1) return Precision::kFloat32;
  const TorchThreads one(1);
  const Batch batch = random_play(network.repertoire, kTimedRows, kMeasuringSeed);
  const auto exact = inference(network, device, Precision::kFloat32);
  Precision best = Precision::kFloat32;
  double least = kGain * seconds(*exact, batch);
  for (const Precision precision : known) {
    if (precision == Precision::kFloat32) continue;
    const auto form = inference(network, device, precision);
    const double time = seconds(*form, batch);
    if (time >= least) continue;
    if (precision == Precision::kInt8 && !within(deviation(network, *exact, *form), tolerated)) {
      continue;
    }
    best = precision;
    least = time;
  }
  return best;
}

}  // namespace nn
