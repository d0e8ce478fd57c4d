#include "nn/inference.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "nn/device_use.h"
#include "nn/folded_weights.h"
#include "nn/forward_pass.h"
#include "nn/int8_calibration.h"
#include "nn/libraries.h"
#include "nn/simulated_device.h"

namespace nn {

struct PlayingNetwork::Parts {
  InferenceOptions options;
  FoldedWeights weights;
  std::optional<ActivationSteps> steps;  // of int8
};

namespace {

std::string text(const Shape& shape) {
  return std::to_string(shape.planes) + " planes, " + std::to_string(shape.globals) +
         " global inputs and " + std::to_string(shape.move_planes) + " move planes";
}

void require_shape(const Shape& shape, const rules::Repertoire& repertoire) {
  const Shape expected = Encoder(repertoire).shape();
  if (shape == expected) return;
  throw std::invalid_argument("inference: a network of " + text(shape) + ", expected for " +
                              repertoire.name() + " " + text(expected));
}

bool all_finite(const Outputs& outputs) {
  const auto finite = [](float x) { return std::isfinite(x); };
  return std::ranges::all_of(outputs.policy_logits, finite) &&
         std::ranges::all_of(outputs.moves_left, finite) &&
         // One that is not finite makes all of a softmax so.
         std::ranges::all_of(outputs.outcomes, finite, [](const auto& p) { return p.front(); });
}

}  // namespace

PlayingNetwork::PlayingNetwork(const NetworkConfig& config, const Weights& weights,
                               const InferenceOptions& options) {
  require_shape(config.shape, options.repertoire);
  Parts parts{options, fold(config, weights), {}};
  if (options.precision == Precision::kInt8) {
    parts.steps = calibrate(parts.weights, options.repertoire);
  }
  parts_ = std::make_shared<const Parts>(std::move(parts));
}

const InferenceOptions& PlayingNetwork::options() const { return parts_->options; }

Inference::Inference(const PlayingNetwork& network) : max_batch_(network.options().max_batch) {
  const PlayingNetwork::Parts& parts = *network.parts_;
  const std::string& device = parts.options.device;
  if (device == "cpu" && parts.options.precision == Precision::kFloat32) {
    form_ = float_forward_pass(parts.weights);
    return;
  }
  form_ = is_simulated(device) ? simulated_forward_pass(parts.weights.shape(), device, max_batch_)
                               : library_forward_pass(parts.weights, parts.steps, parts.options);
  if (form_->is_on_device()) form_ = careful_forward_pass(std::move(form_), device, max_batch_);
}
Inference::~Inference() = default;

void Inference::run(const Batch& batch, Outputs& outputs) {
  start(batch);
  finish(outputs);
}

int Inference::most_in_flight() const {
  static_assert(std::tuple_size_v<decltype(flights_)> == kFlights);
  return form_->is_on_device() ? int{kFlights} : 1;
}

void Inference::start(const Batch& batch) {
  if (batch.size() > max_batch_) {
    throw std::invalid_argument("inference: a batch of " + std::to_string(batch.size()) +
                                " positions, expected at most " + std::to_string(max_batch_));
  }
  const std::size_t flight = started_ % flights_.size();
  if (batch.size() > 0) form_->start(batch, flight);
  flights_[flight] = &batch;
  ++started_;
}

void Inference::finish(Outputs& outputs) {
  const std::size_t flight = finished_++ % flights_.size();
  const Batch& batch = *flights_[flight];
  outputs.fit(batch);
  if (batch.size() == 0) return;
  const auto begin = DeviceClock::now();
  form_->finish(batch, flight, outputs);
  if (form_->is_on_device()) {
    note_device_wait(begin);
    note_device_batch(batch.size());
  }
  if (!all_finite(outputs)) throw CheckpointError("the network's answers are not numbers");
}

}  // namespace nn
