#pragma once
// Teaches an NNUE the outcomes of positions. Includes LibTorch: only .cpp files include it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "nn/nnue_file.h"
#include "nn/weights.h"
#include "training/learner/learner.h"
#include "training/learner/nnue_module.h"
#include "training/learner/nnue_window.h"
#include "training/learner/shard_trainer.h"
#include "training/learner/trained.h"

namespace training {

// Random weights with which nearly all of the network's activations are alive (neither 0 nor 1).
nn::NnueFloatWeights initial_nnue(std::uint64_t seed);

// The probabilities of the rows' outcomes: [rows, 7], from loses to wins of the side to move.
std::vector<float> outcomes_of(const nn::NnueFloatWeights& weights, const NnueBatch& batch);

// Fills a batch with that many rows. For any thread.
using DrawRows = std::function<void(int rows, base::Rng& rng, NnueBatch& out)>;

// Minimises the cross-entropy of the outcomes above that of their targets, as Learner does: by
// AdamW in float32, in shards of LearnerConfig::shard_rows on at most `threads` threads, of which
// the weights do not depend. The first hidden layer learns at a tenth of the rate. After each step
// the weights are within what quantize() holds. Owned by one thread.
class NnueLearner {
 public:
  NnueLearner(const LearnerConfig& config, int threads, std::uint64_t seed);

  // As those of Learner, with the losses of the policy, the moves left and the auxiliary targets
  // not a number.
  LearnerReport train(const DrawRows& draw, std::int64_t steps, double progress,
                      const std::atomic<bool>* stop = nullptr);
  void scale_learning_rate(double scale) { trained_.scale_learning_rate(scale); }
  std::int64_t steps_taken() const { return trained_.steps(); }
  // Measures the averaged weights. REQUIRES: rows > 0.
  Learner::Fit fit(const DrawRows& draw, int rows) const;
  // The weights that play.
  nn::NnueFloatWeights averaged_weights() const;

  nn::Weights state() const { return trained_.state(); }
  void restore(const nn::Weights& state) { trained_.restore(state); }
  // The weights by name, as nn::to_arrays() gives them.
  void initialize(const nn::Weights& weights);

 private:
  double outcome_gap(const NnueModule& module, const DrawRows& draw, int rows,
                     std::uint64_t stream) const;

  base::Rng rng_;
  std::vector<std::shared_ptr<NnueModule>> shards_;  // the first owns the parameters
  std::shared_ptr<NnueModule> average_ = std::make_shared<NnueModule>();
  int rows_;  // of a shard
  Trained trained_;
  ShardTrainer trainer_;
};

}  // namespace training
