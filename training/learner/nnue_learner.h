#pragma once
// Teaches an NNUE the outcomes of positions.

#include <cstdint>
#include <memory>

#include "nn/nnue_file.h"
#include "nn/weights.h"
#include "training/learner/nnue_batch.h"

namespace training {

// Random weights with which nearly all of the network's activations are alive (neither 0 nor 1).
nn::NnueFloatWeights initial_nnue(std::uint64_t seed);

// Minimises the cross-entropy of the outcomes by Adam (betas 0.9 and 0.999, no weight decay), with
// one LibTorch thread and in float32. The weights depend on start, batches and rates alone.
// Owned by one thread.
class NnueLearner {
 public:
  explicit NnueLearner(const nn::NnueFloatWeights& start);
  explicit NnueLearner(std::uint64_t seed) : NnueLearner(initial_nnue(seed)) {}
  ~NnueLearner();
  NnueLearner(const NnueLearner&) = delete;
  NnueLearner& operator=(const NnueLearner&) = delete;

  // One step of learning at rate `lr` (a tenth of it for the first hidden layer), after which the
  // weights are within what quantize() holds. Returns the batch's mean cross-entropy before it, in
  // nats; a step whose loss is not finite is not taken. REQUIRES: batch.rows > 0.
  float step(const NnueBatch& batch, double lr);
  // That mean without learning. REQUIRES: batch.rows > 0.
  float loss(const NnueBatch& batch) const;
  // The probabilities of the rows' outcomes: [rows, 7], from loses to wins of the side to move.
  std::vector<float> outcomes(const NnueBatch& batch) const;

  const nn::NnueFloatWeights& weights() const;
  std::int64_t steps_taken() const;

  // Weights, Adam's moments and the number of steps, in float32. restore() throws CheckpointError
  // where they do not fit.
  nn::Weights state() const;
  void restore(const nn::Weights& state);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace training
