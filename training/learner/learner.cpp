#include "training/learner/learner.h"

#include <ATen/Parallel.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/torch.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "base/errors.h"
#include "base/stopwatch.h"
#include "base/threads.h"
#include "nn/device_use.h"
#include "nn/inference.h"
#include "nn/simulated_device.h"
#include "nn/stream.h"
#include "training/learner/autocast.h"
#include "training/learner/device_step.h"
#include "training/learner/learner_parts.h"
#include "training/learner/losses.h"
#include "training/learner/optimizer.h"
#include "training/learner/rows_ahead.h"
#include "training/learner/simulated_learner.h"

namespace training {
namespace {

constexpr double kAnnealedShare = 0.05;
constexpr int kRowThreads = 8;            // at most, that draw rows for a device
constexpr std::int64_t kUnreadSteps = 8;  // a device's, whose losses are read together

// Random streams besides those of the steps, which count from 0.
enum Stream : std::uint64_t {
  kStatisticsStream = std::uint64_t{1} << 63,  // averaged_weights()
  kFitStream,
  kExplosionStream,
};

// Beginnings of the names in state(), and a name.
constexpr const char *kLive = "live.", *kAverage = "average.", *kFirst = "first.",
                     *kSecond = "second.", *kSteps = "steps";

class LearnerOnDevice final : public Learner {
 public:
  LearnerOnDevice(const nn::NetworkConfig& network, const LearnerConfig& config,
                  const std::string& device, int threads, std::uint64_t seed, Team* team)
      : config_(config),
        team_(team),
        device_(device),
        mixed_(device_.is_cuda()),
        rng_(seed),
        average_(build_network(network, device_, seed)) {
    const int learners = team ? team->size() : 1;
    const int shards =
        device_.is_cuda() ? learners : (config.batch + config.shard_rows - 1) / config.shard_rows;
    if (shards < learners) {
      throw base::InputError("learner.shard_rows: a batch has " + std::to_string(shards) +
                             " shards, fewer than the " + std::to_string(learners) + " learners");
    }
    for (int i = team ? team->rank() : 0; i < shards; i += learners) {
      own_.push_back(static_cast<std::size_t>(i));
    }
    row_threads_ = std::clamp(threads, 1, kRowThreads);
    threads_ = std::clamp(threads, 1, static_cast<int>(own_.size()));
    for (int i = 0; i < shards; ++i) shards_.push_back(build_network(network, device_, seed));
    result_.resize(shards_.size());
    for (int i = 1; i < shards; ++i)
      share_parameters(shards_[0], shards_[static_cast<std::size_t>(i)]);
    for (int i = 1; i < threads_; ++i) {
      averages_.push_back(build_network(network, device_, seed));
      share_parameters(average_, averages_.back());
    }
    for (const auto& p : average_->parameters()) p.requires_grad_(false);
    make_optimizer();
    if (device_.is_cuda()) go_to_own_stream();
  }

  LearnerReport train(const ReplayWindow& window, std::int64_t steps, double progress,
                      const std::atomic<bool>* stop) override {
    const auto begin = std::chrono::steady_clock::now();
    const auto guard = on_own_stream();
    report_ = {};  // written only while all threads wait, as `halted` is
    if (device_.is_cuda() && !team_) start_on_device(window, steps);
    bool halted = false;
    std::vector<std::exception_ptr> errors(shards_.size());
    const auto finish_step = [&]() noexcept {
      try {
        for (const std::exception_ptr& error : errors) {
          if (error) std::rethrow_exception(error);
        }
        bool stopped = stop && stop->load();
        if (ahead_) {
          take_step_on_device(progress);
        } else {
          stopped = take_step(progress, stopped);
        }
        halted = report_.diverged || stopped;
      } catch (...) {
        errors[0] = std::current_exception();
        halted = true;
      }
    };
    std::barrier gather(threads_, finish_step);
    const auto run = [&](std::size_t thread) {
      at::set_num_threads(device_.is_cuda() ? at::get_num_threads() : 1);
      while (report_.steps < steps && !halted) {
        for (std::size_t i = thread; i < own_.size(); i += thread_count()) {
          try {
            accumulate(window, own_[i]);
          } catch (...) {
            errors[own_[i]] = std::current_exception();
          }
        }
        gather.arrive_and_wait();
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < thread_count(); ++i) threads.emplace_back(run, i);
    run(0);
    threads.clear();
    ahead_.reset();
    if (errors[0]) std::rethrow_exception(errors[0]);
    read_losses();
    if (!report_.diverged && report_.steps > 0) report_.diverged = exploded(window);
    if (team_) team_->require_equal(nn::fingerprint(parameters()));
    for (double& loss : report_.losses) loss /= std::max(1.0, static_cast<double>(report_.steps));
    report_.seconds = base::seconds_since(begin);
    return report_;
  }

  std::int64_t steps_taken() const override { return steps_; }
  int rows_per_step() const override { return rows_per_shard() * shard_count(); }
  void scale_learning_rate(double scale) override { scale_ = scale; }
  void use_mixed_precision(bool on) override { mixed_ = on; }

  nn::Weights averaged_weights(const ReplayWindow& window) override {
    const auto guard = on_own_stream();
    if (window.size() == 0) return nn::weights_of(*average_);
    std::vector<std::vector<torch::Tensor>> found(kStatisticsBatches);  // by batch and buffer
    share_out(kStatisticsBatches, [&](std::size_t i, std::size_t thread) {
      const TrainingTensors tensors =
          sample(window, config_.batch, rng_.split(kStatisticsStream).split(i));
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

  Fit fit(const ReplayWindow& window, int rows) override {
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

  nn::Weights state() const override {
    const auto guard = on_own_stream();
    nn::Weights all;
    const auto add = [&all](const std::string& prefix, const nn::Weights& part) {
      for (const auto& [name, array] : part) all[prefix + name] = array;
    };
    add(kLive, nn::weights_of(*shards_[0]));
    add(kAverage, nn::weights_of(*average_));
    const Tensors &first = optimizer_->first_moments(), &second = optimizer_->second_moments();
    const auto parameters = shards_[0]->named_parameters();
    for (std::size_t i = 0; i < first.size(); ++i) {
      all[kFirst + parameters[i].key()] = nn::array_of(first[i]);
      all[kSecond + parameters[i].key()] = nn::array_of(second[i]);
    }
    all[kSteps] = {{2}, {static_cast<float>(steps_ >> 20), static_cast<float>(steps_ & 0xfffff)}};
    return all;
  }

  void restore(const nn::Weights& state) override {
    const auto guard = on_own_stream();
    nn::set_weights(*shards_[0], part(state, kLive));
    nn::set_weights(*average_, part(state, kAverage));
    const auto first = part(state, kFirst);
    const auto second = part(state, kSecond);
    const auto steps = state.find(kSteps);
    if (steps == state.end() || steps->second.values.size() != 2 || first.size() != second.size()) {
      throw nn::CheckpointError("the trainer's counters are missing");
    }
    steps_ = static_cast<std::int64_t>(steps->second.values[0]) << 20 |
             static_cast<std::int64_t>(steps->second.values[1]);
    make_optimizer();
    if (!first.empty()) restore_moments(first, second);
  }

  void initialize(const nn::Weights& given) override {
    const auto guard = on_own_stream();
    nn::Weights weights = given;
    weights.merge(nn::weights_of(*shards_[0]));  // adds what is missing
    nn::set_weights(*shards_[0], weights);
    nn::set_weights(*average_, weights);
    make_optimizer();
    steps_ = 0;
  }

 private:
  // Its kernels are many, and each waits for the one before; the games' are large. What was built
  // so far is there before.
  void go_to_own_stream() {
    c10::impl::VirtualGuardImpl(device_.type()).getStream(device_).synchronize();
    stream_ = std::make_unique<nn::OwnStream>(device_, nn::OwnStream::Turn::kFirst);
    device_step_ = std::make_unique<DeviceStep>(shards_[0], config_, stream_->get());
  }
  c10::OptionalStreamGuard on_own_stream() const {
    return stream_ ? c10::OptionalStreamGuard(stream_->get()) : c10::OptionalStreamGuard();
  }

  int shard_count() const { return static_cast<int>(shards_.size()); }
  int rows_per_shard() const { return config_.batch / shard_count(); }
  std::size_t thread_count() const { return static_cast<std::size_t>(threads_); }

  void make_optimizer() {
    optimizer_ = std::make_unique<AdamW>(shards_[0]->parameters(), config_.weight_decay);
  }

  // The next step's.
  double learning_rate(double progress) const {
    const double warm = config_.warmup_steps > 0
                            ? std::min(1.0, static_cast<double>(steps_ + 1) / config_.warmup_steps)
                            : 1.0;
    const double left = config_.anneal_share > 0
                            ? std::clamp((1.0 - progress) / config_.anneal_share, 0.0, 1.0)
                            : 1.0;
    return config_.learning_rate * scale_ * warm * (kAnnealedShare + (1 - kAnnealedShare) * left);
  }

  // Draws rows of the window.
  TrainingTensors sample(const ReplayWindow& window, int rows, base::Rng rng) const {
    thread_local TrainingBatch batch;
    window.sample(rows, rng, batch);
    return to_tensors(batch, device_);
  }

  torch::Tensor losses_of(nn::Network& network, const TrainingTensors& tensors) const {
    return losses(network->forward(tensors.planes, tensors.globals), tensors, config_);
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
    const auto part = [&](std::size_t thread) {
      const torch::NoGradGuard no_grad;
      for (std::size_t i = thread; i < count; i += thread_count()) f(i, thread);
    };
    if (device_.is_cuda()) {
      part(0);
      return;
    }
    base::Threads threads;
    for (std::size_t thread = 0; thread < thread_count(); ++thread) {
      threads.start([&part, thread] {
        nn::use_one_torch_thread();
        part(thread);
      });
    }
    threads.join();
  }

  // Runs one shard of the step forward and backward.
  void accumulate(const ReplayWindow& window, std::size_t shard) {
    if (ahead_) {
      result_[shard] = device_step_->run(ahead_->next(), mixed_);
      return;
    }
    const auto stream = static_cast<std::uint64_t>(steps_ * shard_count()) + shard;
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
    result_[shard] = on_cpu(result);
  }

  // Starts to draw the steps' rows.
  void start_on_device(const ReplayWindow& window, std::int64_t steps) {
    ahead_ = std::make_unique<RowsAhead>(
        window, rows_per_step(), steps,
        [this, taken = steps_](std::int64_t step) {
          return rng_.split(static_cast<std::uint64_t>(taken + step));
        },
        row_threads_);
    unread_.clear();
    read_at_ = nn::DeviceClock::now();
  }

  // As take_step(), but nothing waits for the device, unless many steps' losses are unread.
  void take_step_on_device(double progress) {
    const torch::NoGradGuard no_grad;
    Tensors gradients = gradients_of(shards_[0]->parameters());
    const torch::Tensor norm = clip_on_device(gradients, config_.clip_norm);
    unread_.push_back(torch::cat({result_[0], norm.view({1})}));
    step_optimizer(progress);
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

  // Sums the own shards' gradients into those of the first network. Returns the sum of their
  // losses.
  torch::Tensor sum_own_shards() {
    const auto master = shards_[0]->parameters();
    const auto first = shards_[own_[0]]->parameters();
    for (std::size_t i = 0; i < master.size(); ++i) master[i].mutable_grad() = first[i].grad();
    torch::Tensor losses = result_[own_[0]];
    for (std::size_t r = 1; r < own_.size(); ++r) {
      const auto own = shards_[own_[r]]->parameters();
      for (std::size_t i = 0; i < own.size(); ++i) master[i].mutable_grad().add_(own[i].grad());
      losses = losses + result_[own_[r]];
    }
    return losses;
  }

  // Sums gradients and losses over the team. Returns whether any of its learners is to stop.
  bool sum_over_team(torch::Tensor& losses, bool stop) {
    std::vector<torch::Tensor> parts;
    for (const auto& p : shards_[0]->parameters())
      parts.push_back(p.grad().flatten().to(torch::kCPU));
    parts.push_back(losses.to(torch::kFloat32));
    parts.push_back(torch::full({1}, stop ? 1.0f : 0.0f));
    const torch::Tensor all = torch::cat(parts);
    team_->sum({all.data_ptr<float>(), static_cast<std::size_t>(all.numel())});
    std::int64_t at = 0;
    for (const auto& p : shards_[0]->parameters()) {
      p.mutable_grad().copy_(all.slice(0, at, at + p.numel()).view(p.sizes()));
      at += p.numel();
    }
    losses = all.slice(0, at, at + kLosses).to(torch::kFloat64);
    return all[at + kLosses].item<float>() > 0;
  }

  nn::Weights parameters() const {
    nn::Weights found;
    for (const auto& item : shards_[0]->named_parameters()) {
      found[item.key()] = nn::array_of(item.value());
    }
    return found;
  }

  // Sums and clips the shards' gradients, takes the step and updates the average. Returns whether
  // training is to stop: this learner's `stop`, or another's.
  bool take_step(double progress, bool stop) {
    const torch::NoGradGuard no_grad;
    const auto master = shards_[0]->parameters();
    const double scale = 1.0 / static_cast<double>(shards_.size());
    torch::Tensor losses = sum_own_shards();
    if (team_) stop = sum_over_team(losses, stop);
    for (const auto& p : master) p.mutable_grad().mul_(scale);
    const double norm = torch::nn::utils::clip_grad_norm_(master, config_.clip_norm);
    report_.diverged = !std::isfinite(norm) || lost(losses, shards_.size());
    if (report_.diverged) return stop;
    for (std::size_t i = 0; i < kLosses; ++i) {
      report_.losses[i] += scale * losses.data_ptr<double>()[i];
    }
    step_optimizer(progress);
    return stop;
  }

  void step_optimizer(double progress) {
    report_.learning_rate = learning_rate(progress);
    optimizer_->step(report_.learning_rate);
    ++steps_;
    ++report_.steps;
    update_average();
  }

  void update_average() {
    // Early on the average follows closely: it must not remember the untrained start.
    const double decay = std::min<double>(
        config_.ema_decay, static_cast<double>(steps_) / (10.0 + static_cast<double>(steps_)));
    Tensors average = average_->parameters();
    lerp(average, shards_[0]->parameters(), 1.0 - decay);
  }

  static nn::Weights part(const nn::Weights& all, const std::string& prefix) {
    nn::Weights found;
    for (const auto& [name, array] : all) {
      if (name.starts_with(prefix)) found[name.substr(prefix.size())] = array;
    }
    return found;
  }

  void restore_moments(const nn::Weights& first, const nn::Weights& second) {
    Tensors firsts, seconds;
    for (const auto& item : shards_[0]->named_parameters()) {
      const auto restored = [&](const nn::Weights& moments) {
        return tensor_like(nn::find_array(moments, item.key(), item.value().sizes()), item.value());
      };
      firsts.push_back(restored(first));
      seconds.push_back(restored(second));
    }
    optimizer_->restore(std::move(firsts), std::move(seconds), steps_);
  }

  static torch::Tensor tensor_like(const nn::Array& array, const torch::Tensor& model) {
    auto tensor = torch::empty_like(model, model.options().requires_grad(false));
    tensor.copy_(torch::from_blob(const_cast<float*>(array.values.data()), array.shape));
    return tensor;
  }

  LearnerConfig config_;
  Team* team_;  // null: it learns alone
  torch::Device device_;
  bool mixed_;
  base::Rng rng_;
  int threads_ = 1;
  std::vector<std::size_t> own_;     // the shards that are this learner's
  std::vector<nn::Network> shards_;  // the first owns the parameters, the others look at them
  nn::Network average_;
  std::vector<nn::Network> averages_{average_};  // one a thread, all with its parameters
  std::unique_ptr<AdamW> optimizer_;
  std::int64_t steps_ = 0;
  double scale_ = 1;                   // of the learning rate
  std::vector<torch::Tensor> result_;  // by shard
  LearnerReport report_;               // of the present call of train(); losses: sums

  // On a device.
  std::unique_ptr<nn::OwnStream> stream_;
  std::unique_ptr<DeviceStep> device_step_;
  int row_threads_ = 1;
  std::unique_ptr<RowsAhead> ahead_;
  std::vector<torch::Tensor> unread_;    // losses and the gradient's norm, by step
  nn::DeviceClock::time_point read_at_;  // when losses were read last
};

}  // namespace

std::unique_ptr<Learner> make_learner(const nn::NetworkConfig& network, const LearnerConfig& config,
                                      const std::string& device, int threads, std::uint64_t seed,
                                      Team* team) {
  if (nn::is_simulated(device)) return simulated_learner(network, config, device, threads, seed);
  return std::make_unique<LearnerOnDevice>(network, config, device, threads, seed, team);
}

}  // namespace training
