#include <bit>
#include <stdexcept>

#include "base/rng.h"
#include "nn/forward_pass.h"
#include "nn/simulated_device.h"

namespace nn {
namespace {

// A hash of what a network of that shape sees of a position.
std::uint64_t hash(const EncodedPosition& position, const Shape& shape) {
  std::uint64_t key = 0;
  for (const std::uint64_t plane : std::span(position.planes).first(std::size_t(shape.planes))) {
    key = base::mix64(key ^ plane);
  }
  for (const float value : std::span(position.globals).first(std::size_t(shape.globals))) {
    key = base::mix64(key ^ std::bit_cast<std::uint32_t>(value));
  }
  return key;
}

class SimulatedForwardPass final : public ForwardPass {
 public:
  SimulatedForwardPass(const Shape& shape, const std::string& device, int max_batch)
      : shape_(shape),
        device_(simulated_device(device)),
        fail_every_(static_cast<std::int64_t>(parse_device_name(device).times.fail_every)),
        max_batch_(max_batch) {}

  bool is_on_device() const override { return true; }
  void start(const Batch& batch, std::size_t flight) override {
    work_[flight] = device_.start_batch(padded_rows(batch.size(), max_batch_));
    ++batches_;
    fails_[flight] = fail_every_ > 0 && batches_ % fail_every_ == 0;
  }
  void finish(const Batch& batch, std::size_t flight, Outputs& outputs) override {
    device_.wait_for(work_[flight]);
    if (fails_[flight]) throw std::runtime_error("the simulated device fails");
    for (std::size_t i = 0; i < batch.positions.size(); ++i) answer(batch, i, outputs);
  }

 private:
  // Fills the position's outputs. Policies and outcomes are spread as mcts::HashEvaluator's.
  void answer(const Batch& batch, std::size_t i, Outputs& outputs) const {
    const std::uint64_t key = hash(batch.positions[i], shape_);
    const auto logit = [key](std::uint64_t n) {
      return 3 * std::log(base::unit(base::mix64(key + n)));
    };
    std::array<float, 7> outcomes;
    for (std::size_t k = 0; k < outcomes.size(); ++k) outcomes[k] = logit(k + 1);
    softmax(outcomes, outputs.outcomes[i]);
    outputs.moves_left[i] = kMovesLeftScale * base::unit(base::mix64(key));
    for (std::uint32_t k = batch.policy_begin[i]; k < batch.policy_begin[i + 1]; ++k) {
      outputs.policy_logits[k] = logit(std::uint64_t{8} + batch.policy_indices[k]);
    }
  }

  Shape shape_;
  SimulatedDevice& device_;
  const std::int64_t fail_every_;
  int max_batch_;
  // Counted here, not on the device: else what other threads send in between decides whether a
  // batch that failed fails again.
  std::int64_t batches_ = 0;
  std::array<SimulatedDevice::Work, kFlights> work_;
  std::array<bool, kFlights> fails_{};
};

}  // namespace

std::unique_ptr<ForwardPass> simulated_forward_pass(const Shape& shape, const std::string& device,
                                                    int max_batch) {
  return std::make_unique<SimulatedForwardPass>(shape, device, max_batch);
}

}  // namespace nn
