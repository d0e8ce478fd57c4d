#include "training/learner/learner.h"

#include <ATen/Parallel.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>

#include "base/errors.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "nn/device_use.h"
#include "nn/inference.h"
#include "nn/simulated_device.h"
#include "nn/stream.h"
#include "nn/torch_threads.h"
#include "training/learner/autocast.h"
#include "training/learner/device_step.h"
#include "training/learner/learner_parts.h"
#include "training/learner/losses.h"
#include "training/learner/rows_ahead.h"
#include "training/learner/shard_trainer.h"
#include "training/learner/simulated_learner.h"
#include "training/learner/trained.h"

namespace training {
namespace {

constexpr std::int64_t kUnreadSteps = 8;  // a device's, whose losses are read together

// Random streams besides those of the steps, which count from 0.
enum Stream : std::uint64_t {
  kStatisticsStream = std::uint64_t{1} << 63,  // averaged_weights()
  kFitStream,
  kExplosionStream,
};

struct LearnerSetup {
  nn::NetworkConfig network;
  LearnerConfig config;
  std::string device;
  int threads = 1;
  std::uint64_t seed = 0;
  Team* team = nullptr;
};

std::vector<nn::Network> networks(const LearnerSetup& setup, int count) {
  std::vector<nn::Network> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(build_network(setup.network, torch::Device(setup.device), setup.seed));
    if (i > 0) share_parameters(*all.front(), *all.back());
  }
  return all;
}

// What a processor's and a device's learner have in common.
class NetworkLearner : public Learner {
 public:
  LearnerReport train(const ReplayWindow& window, std::int64_t steps, double progress,
                      const std::atomic<bool>* stop) final {
    const auto begin = std::chrono::steady_clock::now();
    const auto guard = on_own_stream();
    LearnerReport report = take_steps(window, steps, progress, stop);
    if (!report.diverged && report.steps > 0) report.diverged = exploded(window);
    if (setup_.team) setup_.team->require_equal(nn::fingerprint(trained_.parameters()));
    for (double& loss : report.losses) loss /= std::max(1.0, static_cast<double>(report.steps));
    report.seconds = base::seconds_since(begin);
    return report;
  }
  std::int64_t steps_taken() const final { return trained_.steps(); }
  int rows_per_step() const final { return rows_per_shard() * shard_count(); }
  void scale_learning_rate(double scale) final { trained_.scale_learning_rate(scale); }
  void use_mixed_precision(bool on) final { mixed_ = on; }

  nn::Weights averaged_weights(const ReplayWindow& window) final {
    const auto guard = on_own_stream();
    if (window.size() == 0) return nn::weights_of(*average_);
    std::vector<std::vector<torch::Tensor>> found(kStatisticsBatches);  // by batch and buffer
    share_out(kStatisticsBatches, [&](std::size_t i, std::size_t thread) {
      const TrainingTensors tensors =
          sample(window, setup_.config.batch, rng_.split(kStatisticsStream).split(i));
      nn::Network& network = averages_[thread];
      network->train();
      for (auto* norm : norms_of(*network)) {
        norm->reset_running_stats();
        norm->options.momentum(1.0);  // this batch's alone
      }
      const Autocast autocast(mixed_, device_.is_cuda());
      network->forward(tensors.planes, tensors.globals);
      for (const torch::Tensor& buffer : statistics_of(*network)) {
        found[i].push_back(buffer.clone());
      }
    });
    const torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> means = statistics_of(*average_);
    for (std::size_t k = 0; k < means.size(); ++k) {
      means[k].zero_();
      for (const auto& of_batch : found) means[k].add_(of_batch[k], 1.0 / kStatisticsBatches);
    }
    return nn::weights_of(*average_);
  }

  Fit fit(const ReplayWindow& window, int rows) final {
    const auto guard = on_own_stream();
    const torch::NoGradGuard no_grad;
    average_->eval();
    const nn::TorchThreads all_cores(device_.is_cuda() ? at::get_num_threads() : threads_);
    const TrainingTensors tensors = sample(window, rows, rng_.split(kFitStream));
    const torch::Tensor all = on_cpu(losses_of(average_, tensors));
    const double* loss = all.data_ptr<double>();
    const double known = entropy(tensors.outcomes).item<double>();
    return {loss[kPolicyLoss] - loss[kPolicyFloor], loss[kOutcomeLoss] - known};
  }

  nn::Weights state() const final {
    const auto guard = on_own_stream();
    return trained_.state();
  }
  void restore(const nn::Weights& state) final {
    const auto guard = on_own_stream();
    trained_.restore(state);
  }
  void initialize(const nn::Weights& weights) final {
    const auto guard = on_own_stream();
    trained_.initialize(weights);
  }

 protected:
  // `threads`: as many as there are shards of its own, at most.
  NetworkLearner(const LearnerSetup& setup, int shards, int threads)
      : setup_(setup),
        device_(setup.device),
        mixed_(device_.is_cuda()),
        rng_(setup.seed),
        shards_(networks(setup, shards)),
        average_(build_network(setup.network, device_, setup.seed)),
        trained_(shards_[0].ptr(), average_.ptr(), setup.config),
        threads_(threads) {
    for (int i = 1; i < threads_; ++i) {
      averages_.push_back(build_network(setup.network, device_, setup.seed));
      share_parameters(*average_, *averages_.back());
    }
    if (!device_.is_cuda()) return;
    // Its kernels are many, and each waits for the one before; the games' are large. What was built
    // so far is there before.
    c10::impl::VirtualGuardImpl(device_.type()).getStream(device_).synchronize();
    stream_ = std::make_unique<nn::OwnStream>(device_, nn::OwnStream::Turn::kFirst);
  }

  // Takes the steps of train(); the report's losses are their sums.
  virtual LearnerReport take_steps(const ReplayWindow& window, std::int64_t steps, double progress,
                                   const std::atomic<bool>* stop) = 0;

  int shard_count() const { return static_cast<int>(shards_.size()); }
  int rows_per_shard() const { return setup_.config.batch / shard_count(); }

  // Draws rows of the window.
  TrainingTensors sample(const ReplayWindow& window, int rows, base::Rng rng) const {
    thread_local TrainingBatch batch;
    window.sample(rows, rng, batch);
    return to_tensors(batch, device_);
  }

  torch::Tensor losses_of(nn::Network& network, const TrainingTensors& tensors) const {
    return losses(network->forward(tensors.planes, tensors.globals), tensors, setup_.config);
  }

  LearnerSetup setup_;
  torch::Device device_;
  bool mixed_;
  base::Rng rng_;
  std::vector<nn::Network> shards_;  // the first owns the parameters, the others look at them
  nn::Network average_;
  Trained trained_;
  std::unique_ptr<nn::OwnStream> stream_;  // on CUDA

 private:
  c10::OptionalStreamGuard on_own_stream() const {
    return stream_ ? c10::OptionalStreamGuard(stream_->get()) : c10::OptionalStreamGuard();
  }

  // Whether the last step made the losses explode, which only the next step's would show.
  bool exploded(const ReplayWindow& window) {
    const TrainingTensors tensors = sample(window, rows_per_shard(), rng_.split(kExplosionStream));
    std::array<bool, 2> exploded{};
    share_out(exploded.size(), [&](std::size_t i, std::size_t) {
      nn::Network& network = i == 0 ? shards_[0] : average_;
      network->train();
      exploded[i] = lost(on_cpu(losses_of(network, tensors)), 1);
    });
    return exploded[0] || exploded[1];
  }

  // Calls f(i, thread) for each i below `count`, on the learner's threads: on a CPU each has one
  // LibTorch thread, so that what it computes does not depend on how many there are. No gradients.
  template <class F>
  void share_out(std::size_t count, F&& f) {
    const auto threads = static_cast<std::size_t>(threads_);
    const auto part = [&](std::size_t thread) {
      const torch::NoGradGuard no_grad;
      for (std::size_t i = thread; i < count; i += threads) f(i, thread);
    };
    if (device_.is_cuda()) {
      part(0);
      return;
    }
    base::Threads all;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      all.start([&part, thread] {
        nn::use_one_torch_thread();
        part(thread);
      });
    }
    all.join();
  }

  int threads_;
  std::vector<nn::Network> averages_{average_};  // one a thread, all with its parameters
};

std::vector<Module> modules_of(const std::vector<nn::Network>& networks) {
  std::vector<Module> modules;
  for (const nn::Network& network : networks) modules.push_back(network.ptr());
  return modules;
}

// On a CPU, and of a team on whatever device.
class ShardedLearner final : public NetworkLearner {
 public:
  ShardedLearner(const LearnerSetup& setup, int shards, int threads)
      : NetworkLearner(setup, shards, threads),
        trainer_(modules_of(shards_), trained_, setup.config, threads, setup.team) {}

 private:
  LearnerReport take_steps(const ReplayWindow& window, std::int64_t steps, double progress,
                           const std::atomic<bool>* stop) override {
    return trainer_.train(steps, progress, stop,
                          [&](std::size_t shard) { return accumulate(window, shard); });
  }

  // Runs one shard of the step forward and backward. Returns its losses.
  torch::Tensor accumulate(const ReplayWindow& window, std::size_t shard) {
    const auto stream = static_cast<std::uint64_t>(trained_.steps() * shard_count()) + shard;
    const TrainingTensors tensors = sample(window, rows_per_shard(), rng_.split(stream));
    nn::Network& network = shards_[shard];
    network->train();
    for (auto& p : network->parameters()) p.mutable_grad() = torch::Tensor();
    torch::Tensor result;
    {
      const Autocast autocast(mixed_, device_.is_cuda());
      result = losses_of(network, tensors);
    }
    result[kTotal].backward();
    return on_cpu(result);
  }

  ShardTrainer trainer_;
};

// On CUDA, alone: the batch is one shard.
class DeviceLearner final : public NetworkLearner {
 public:
  explicit DeviceLearner(const LearnerSetup& setup)
      : NetworkLearner(setup, 1, 1), step_(shards_[0], setup_.config, stream_->get()) {}

 private:
  LearnerReport take_steps(const ReplayWindow& window, std::int64_t steps, double progress,
                           const std::atomic<bool>* stop) override {
    report_ = {};
    unread_.clear();
    read_at_ = nn::DeviceClock::now();
    {
      RowsAhead ahead(
          window, rows_per_step(), steps,
          [this, taken = steps_taken()](std::int64_t step) {
            return rng_.split(static_cast<std::uint64_t>(taken + step));
          },
          row_threads(setup_.threads));
      for (bool halted = false; report_.steps < steps && !halted;) {
        take_step(step_.run(ahead.next(), mixed_), progress);
        halted = report_.diverged || (stop && stop->load());
      }
    }
    read_losses();
    return report_;
  }

  // Nothing waits for the device, unless many steps' losses are unread.
  void take_step(const torch::Tensor& losses, double progress) {
    const torch::NoGradGuard no_grad;
    Tensors gradients = gradients_of(shards_[0]->parameters());
    const torch::Tensor norm = clip_on_device(gradients, setup_.config.clip_norm);
    unread_.push_back(torch::cat({losses, norm.view({1})}));
    report_.learning_rate = trained_.step(progress);
    ++report_.steps;
    if (std::ssize(unread_) >= kUnreadSteps) read_losses();
  }

  // Waits for the steps whose losses are unread, and adds these to the report.
  void read_losses() {
    if (unread_.empty()) return;
    const torch::Tensor all = torch::stack(unread_);
    unread_.clear();
    const auto waits = nn::DeviceClock::now();
    nn::wait_for(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
    const torch::Tensor read = on_cpu(all);
    nn::note_device_wait(waits);
    nn::note_device_work(read_at_, nn::DeviceClock::now());
    read_at_ = nn::DeviceClock::now();
    for (std::int64_t step = 0; step < read.size(0); ++step) {
      const torch::Tensor losses = read[step];
      report_.diverged = report_.diverged || lost(losses, 1);
      for (std::size_t i = 0; i < kLosses; ++i) report_.losses[i] += losses.data_ptr<double>()[i];
    }
  }

  DeviceStep step_;
  LearnerReport report_;                 // of the present call of take_steps()
  std::vector<torch::Tensor> unread_;    // losses and the gradient's norm, by step
  nn::DeviceClock::time_point read_at_;  // when losses were read last
};

std::unique_ptr<Learner> sharded_learner(const LearnerSetup& setup) {
  const int learners = setup.team ? setup.team->size() : 1;
  const int rank = setup.team ? setup.team->rank() : 0;
  const int shards = shard_count(setup.config, setup.device, learners);
  const int own = (shards - rank + learners - 1) / learners;
  return std::make_unique<ShardedLearner>(setup, shards, std::clamp(setup.threads, 1, own));
}

}  // namespace

int shard_count(const LearnerConfig& config, const std::string& device, int learners) {
  if (nn::is_simulated(device) || torch::Device(device).is_cuda()) return learners;
  const int shards = (config.batch + config.shard_rows - 1) / config.shard_rows;
  if (shards < learners) {
    throw base::InputError("learner.shard_rows: a batch has " + std::to_string(shards) +
                           " shards, fewer than the " + std::to_string(learners) + " learners");
  }
  return shards;
}

std::unique_ptr<Learner> make_learner(const nn::NetworkConfig& network, const LearnerConfig& config,
                                      const std::string& device, int threads, std::uint64_t seed,
                                      Team* team) {
  if (nn::is_simulated(device)) return simulated_learner(network, config, device, threads, seed);
  LearnerSetup setup{network, config, device, threads, seed, team};
  setup.config.learning_rate = static_cast<float>(peak_learning_rate(config, network.channels));
  if (torch::Device(device).is_cuda() && !team) return std::make_unique<DeviceLearner>(setup);
  return sharded_learner(setup);
}

}  // namespace training
