#pragma once
// Steps whose batch is split into shards. Includes LibTorch: only .cpp files of this folder include
// it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "training/learner/learner.h"
#include "training/learner/learner_team.h"
#include "training/learner/trained.h"

namespace training {

// Lets threads learn a step's shards in parallel, and sums their gradients in a fixed order: so the
// weights do not depend on the number of threads.
class ShardTrainer {
 public:
  // `shards`: a module for each, with gradients of its own; all use the parameters of the first,
  // which are those of `trained`. `team` as in make_learner(): this learner takes its part of them.
  ShardTrainer(std::vector<Module> shards, Trained& trained, const LearnerConfig& config,
               int threads, Team* team = nullptr);

  // Computes a shard of the next step: leaves gradients in its module and returns its mean losses
  // [kLosses], as on_cpu(). Called on any of the threads.
  using Accumulate = std::function<torch::Tensor(std::size_t shard)>;
  // As Learner::train(), but that the report's losses are sums over the steps.
  LearnerReport train(std::int64_t steps, double progress, const std::atomic<bool>* stop,
                      const Accumulate& accumulate);

 private:
  bool take_step(double progress, bool stop);
  torch::Tensor sum_own_shards();
  bool sum_over_team(torch::Tensor& losses, bool stop);
  Tensors parameters() const { return shards_.front()->parameters(); }

  std::vector<Module> shards_;
  Trained& trained_;
  double clip_norm_;
  Team* team_;
  std::vector<std::size_t> own_;  // the shards that are this learner's
  std::size_t threads_;
  bool one_torch_thread_;              // in each thread: on a CPU
  std::vector<torch::Tensor> result_;  // losses by shard
  LearnerReport report_;               // of the present call
};

}  // namespace training
