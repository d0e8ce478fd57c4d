#pragma once
// Gradient descent on the replay window. Includes no LibTorch.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "nn/network_config.h"
#include "nn/weights.h"
#include "training/learner/learner_team.h"
#include "training/learner/replay_window.h"
#include "training/settings/learner_config.h"

namespace training {

enum Loss {
  kTotal,        // the weighted sum that is minimised, above the targets' own entropy
  kPolicyLoss,   // cross-entropy, nats
  kPolicyFloor,  // the policy targets' own entropy: kPolicyLoss cannot go below it
  kOutcomeLoss,  // cross-entropy, nats
  kMovesLeftLoss,
  kAuxiliaryLoss,
  kLosses  // how many
};

// One call of train().
struct LearnerReport {
  std::int64_t steps = 0;                // taken
  std::array<double, kLosses> losses{};  // by Loss, means over the steps
  double learning_rate = 0;              // of the last step; 0: none was taken
  double seconds = 0;
  // A loss or gradient was not finite, or the policy's or outcome's loss was above kLargestLoss:
  // training stopped before that step (on CUDA some steps later), or found it after the last one.
  bool diverged = false;
};

// Nats; an untrained network's is about 8.
inline constexpr double kLargestLoss = 50;

// Batches of LearnerConfig::batch rows over which averaged_weights() measures.
inline constexpr int kStatisticsBatches = 12;

// AdamW with warm-up and a final anneal, gradient clipping, and averaged (EMA) weights. On a CPU
// each step's batch is split into shards of LearnerConfig::shard_rows, over which batch norm takes
// its statistics and whose gradients are summed in a fixed order, by at most `threads` threads with
// one LibTorch thread each. The weights do not depend on the number of threads. On CUDA the batch
// is one shard, the threads draw rows ahead of time, and losses are read once in eight steps.
class Learner {
 public:
  virtual ~Learner() = default;

  // Takes `steps` steps, each on rows_per_step() rows of the window; fewer where `stop` (may be
  // null) is set meanwhile. `progress` (0 … 1 of the run) sets the learning rate. Throws what a
  // thread throws. On a CPU it leaves the calling thread with one LibTorch thread. REQUIRES:
  // window.size() > 0, unless there are no steps.
  virtual LearnerReport train(const ReplayWindow& window, std::int64_t steps, double progress,
                              const std::atomic<bool>* stop = nullptr) = 0;
  // A factor on the learning rate, 1 at first.
  virtual void scale_learning_rate(double scale) = 0;
  // bfloat16 where autocast allows it, or fp32 throughout. At first on for CUDA, off for a CPU.
  virtual void use_mixed_precision(bool on) = 0;
  virtual std::int64_t steps_taken() const = 0;
  // LearnerConfig::batch / shards * shards: each shard has equally many.
  virtual int rows_per_step() const = 0;

  // The averaged weights, with batch-norm statistics measured for them on rows of the window.
  virtual nn::Weights averaged_weights(const ReplayWindow& window) = 0;

  // Measures the averaged weights on rows of the window, the same rows each time. REQUIRES:
  // averaged_weights() was called since the last step; window.size() > 0.
  struct Fit {
    double policy = 0, outcome = 0;  // divergences from the targets, nats
  };
  virtual Fit fit(const ReplayWindow& window, int rows) = 0;

  // Returns what train() continues from: live and averaged weights, optimizer, step count. With a
  // window as it was it takes the same steps on a CPU (RunGames::restore() says where one is).
  virtual nn::Weights state() const = 0;
  // Throws nn::CheckpointError where it does not fit.
  virtual void restore(const nn::Weights& state) = 0;
  // Starts from a network's weights with a new optimizer. Missing arrays start as in a new network,
  // where blocks are the identity: so a network with fewer blocks goes on as it is.
  virtual void initialize(const nn::Weights& weights) = 0;
};

// Returns into how many shards the learners divide a step's batch. Throws base::InputError where
// these are fewer than the learners.
int shard_count(const LearnerConfig& config, const std::string& device, int learners);

// Makes a learner on the device; on a simulated one simulated_learner(). `team` may be null, and
// must outlive it: then each of its learners takes a part of every step's shards, and train() is
// one call of all of them. The steps are those of one learner with the same shards; that the
// weights are equal is asserted after each train(). Throws as shard_count().
std::unique_ptr<Learner> make_learner(const nn::NetworkConfig& network, const LearnerConfig& config,
                                      const std::string& device, int threads, std::uint64_t seed,
                                      Team* team = nullptr);

}  // namespace training
