#include "training/learner/simulated_learner.h"

#include <limits>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "nn/device_use.h"
#include "nn/simulated_device.h"
#include "training/learner/learner_parts.h"
#include "training/learner/losses.h"
#include "training/learner/rows_ahead.h"

namespace training {
namespace {

constexpr const char* kSimulatedSteps =
    "simulated.steps";  // in state(), beside the network's arrays
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

class SimulatedLearner final : public Learner {
 public:
  SimulatedLearner(const nn::NetworkConfig& network, const LearnerConfig& config,
                   const std::string& device, int threads, std::uint64_t seed)
      : config_(config),
        device_(nn::simulated_device(device)),
        threads_(threads),
        rng_(seed),
        network_(build_network(network, torch::kCPU, seed)) {}

  LearnerReport train(const ReplayWindow& window, std::int64_t steps, double /*progress*/,
                      const std::atomic<bool>* stop) override {
    const auto begin = nn::DeviceClock::now();
    LearnerReport report;
    report.losses.fill(kNotMeasured);
    RowsAhead ahead(
        window, config_.batch, steps,
        [this, taken = steps_](std::int64_t step) {
          return rng_.split(static_cast<std::uint64_t>(taken + step));
        },
        row_threads(threads_));
    while (report.steps < steps && !(stop && stop->load())) {
      to_tensors(ahead.next(), torch::kCPU);
      const auto began = nn::DeviceClock::now();
      device_.take_step(config_.batch);
      nn::note_device_wait(began);
      ++steps_;
      ++report.steps;
    }
    if (report.steps > 0) mark_as_trained();
    report.seconds = base::seconds_since(begin);
    return report;
  }

  void scale_learning_rate(double /*scale*/) override {}
  void use_mixed_precision(bool /*on*/) override {}
  std::int64_t steps_taken() const override { return steps_; }
  int rows_per_step() const override { return config_.batch; }

  nn::Weights averaged_weights(const ReplayWindow& window) override {
    if (window.size() > 0) {
      for (int i = 0; i < kStatisticsBatches; ++i) forward(window, config_.batch);
    }
    return nn::weights_of(*network_);
  }
  Fit fit(const ReplayWindow& window, int rows) override {
    forward(window, rows);
    return {kNotMeasured, kNotMeasured};
  }

  nn::Weights state() const override {
    nn::Weights all = nn::weights_of(*network_);
    all[kSimulatedSteps] = {{1}, {static_cast<float>(steps_)}};
    return all;
  }
  void restore(const nn::Weights& state) override {
    nn::Weights weights = state;
    constexpr std::int64_t kOne = 1;
    const auto steps = nn::find_array(state, kSimulatedSteps, {&kOne, 1}).values[0];
    weights.erase(kSimulatedSteps);
    nn::set_weights(*network_, weights);
    steps_ = static_cast<std::int64_t>(steps);
  }
  void initialize(const nn::Weights& given) override {
    nn::Weights weights = given;
    weights.merge(nn::weights_of(*network_));
    nn::set_weights(*network_, weights);
    steps_ = 0;
  }

 private:
  void forward(const ReplayWindow& window, int rows) {
    window.sample(rows, rng_, batch_);
    to_tensors(batch_, torch::kCPU);
    const auto began = nn::DeviceClock::now();
    device_.wait_for(device_.start_batch(rows));
    nn::note_device_wait(began);
  }

  // An untrained network's policy has only zeros in its last layer (nn::NetworkImpl).
  void mark_as_trained() {
    const torch::NoGradGuard no_grad;
    network_->named_parameters()["policy_out.weight"].fill_(1);
  }

  LearnerConfig config_;
  nn::SimulatedDevice& device_;
  int threads_;
  base::Rng rng_;
  nn::Network network_;
  std::int64_t steps_ = 0;
  TrainingBatch batch_;
};

}  // namespace

std::unique_ptr<Learner> simulated_learner(const nn::NetworkConfig& network,
                                           const LearnerConfig& config, const std::string& device,
                                           int threads, std::uint64_t seed) {
  return std::make_unique<SimulatedLearner>(network, config, device, threads, seed);
}

}  // namespace training
