#include "training/learner/shard_trainer.h"

#include <torch/torch.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <exception>
#include <thread>
#include <utility>

#include "nn/torch_threads.h"
#include "training/learner/learner_parts.h"

namespace training {

ShardTrainer::ShardTrainer(std::vector<Module> shards, Trained& trained,
                           const LearnerConfig& config, int threads, Team* team)
    : shards_(std::move(shards)),
      trained_(trained),
      clip_norm_(config.clip_norm),
      team_(team),
      one_torch_thread_(parameters().front().device().is_cpu()),
      result_(shards_.size()) {
  const std::size_t learners = team ? static_cast<std::size_t>(team->size()) : 1;
  for (std::size_t i = team ? static_cast<std::size_t>(team->rank()) : 0; i < shards_.size();
       i += learners) {
    own_.push_back(i);
  }
  threads_ = std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, own_.size());
}

LearnerReport ShardTrainer::train(std::int64_t steps, double progress,
                                  const std::atomic<bool>* stop, const Accumulate& accumulate) {
  report_ = {};  // written only while all threads wait, as `halted` is
  bool halted = false;
  std::vector<std::exception_ptr> errors(shards_.size());
  const auto finish_step = [&]() noexcept {
    try {
      for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
      }
      const bool stopped = take_step(progress, stop && stop->load());
      halted = report_.diverged || stopped;
    } catch (...) {
      errors[0] = std::current_exception();
      halted = true;
    }
  };
  std::barrier gather(static_cast<std::ptrdiff_t>(threads_), finish_step);
  const auto run = [&](std::size_t thread) {
    if (one_torch_thread_) nn::use_one_torch_thread();
    while (report_.steps < steps && !halted) {
      for (std::size_t i = thread; i < own_.size(); i += threads_) {
        try {
          result_[own_[i]] = accumulate(own_[i]);
        } catch (...) {
          errors[own_[i]] = std::current_exception();
        }
      }
      gather.arrive_and_wait();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < threads_; ++i) threads.emplace_back(run, i);
  run(0);
  threads.clear();
  if (errors[0]) std::rethrow_exception(errors[0]);
  return report_;
}

// Sums and clips the shards' gradients and takes the step. Returns whether training is to stop:
// this learner's `stop`, or another's.
bool ShardTrainer::take_step(double progress, bool stop) {
  const torch::NoGradGuard no_grad;
  const Tensors master = parameters();
  const double scale = 1.0 / static_cast<double>(shards_.size());
  torch::Tensor losses = sum_own_shards();
  if (team_) stop = sum_over_team(losses, stop);
  for (const auto& p : master) p.mutable_grad().mul_(scale);
  const double norm = torch::nn::utils::clip_grad_norm_(master, clip_norm_);
  report_.diverged = !std::isfinite(norm) || lost(losses, shards_.size());
  if (report_.diverged) return stop;
  for (std::size_t i = 0; i < kLosses; ++i) {
    report_.losses[i] += scale * losses.data_ptr<double>()[i];
  }
  report_.learning_rate = trained_.step(progress);
  ++report_.steps;
  return stop;
}

// Sums the own shards' gradients into those of the first module. Returns the sum of their losses.
torch::Tensor ShardTrainer::sum_own_shards() {
  const Tensors master = parameters();
  const Tensors first = shards_[own_[0]]->parameters();
  for (std::size_t i = 0; i < master.size(); ++i) master[i].mutable_grad() = first[i].grad();
  torch::Tensor losses = result_[own_[0]];
  for (std::size_t r = 1; r < own_.size(); ++r) {
    const Tensors own = shards_[own_[r]]->parameters();
    for (std::size_t i = 0; i < own.size(); ++i) master[i].mutable_grad().add_(own[i].grad());
    losses = losses + result_[own_[r]];
  }
  return losses;
}

// Sums gradients and losses over the team. Returns whether any of its learners is to stop.
bool ShardTrainer::sum_over_team(torch::Tensor& losses, bool stop) {
  Tensors parts;
  for (const auto& p : parameters()) parts.push_back(p.grad().flatten().to(torch::kCPU));
  parts.push_back(losses.to(torch::kFloat32));
  parts.push_back(torch::full({1}, stop ? 1.0f : 0.0f));
  const torch::Tensor all = torch::cat(parts);
  team_->sum({all.data_ptr<float>(), static_cast<std::size_t>(all.numel())});
  std::int64_t at = 0;
  for (const auto& p : parameters()) {
    p.mutable_grad().copy_(all.slice(0, at, at + p.numel()).view(p.sizes()));
    at += p.numel();
  }
  losses = all.slice(0, at, at + kLosses).to(torch::kFloat64);
  return all[at + kLosses].item<float>() > 0;
}

}  // namespace training
