#pragma once
// What is learned, whatever network it is of. Includes LibTorch: only .cpp files of this folder
// include it.

#include <torch/nn.h>
#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "nn/weights.h"
#include "training/settings/learner_config.h"

namespace training {

using Tensors = std::vector<torch::Tensor>;

// Loshchilov and Hutter's, with torch::optim::AdamW's defaults and the same numbers on a CPU.
class AdamW {
 public:
  // Weights decay, biases and norms (of one dimension) do not. `rates`: factors on the learning
  // rate, by parameter; empty: all 1. Weights decay by the rate without them, where theirs is 0 not
  // at all.
  AdamW(Tensors parameters, double weight_decay, std::vector<double> rates = {});

  // REQUIRES: every parameter has a gradient.
  void step(double learning_rate);

  // The gradients' moments, by parameter; empty before the first step.
  const Tensors& first_moments() const { return first_; }
  const Tensors& second_moments() const { return second_; }
  // Goes on after so many steps.
  void restore(Tensors first, Tensors second, std::int64_t steps);

 private:
  Tensors parameters_, weights_;  // the weights are the parameters that decay
  double weight_decay_;
  std::vector<double> rates_;
  Tensors first_, second_;
  std::int64_t steps_ = 0;
};

Tensors gradients_of(const Tensors& parameters);

// Scales the gradients, on their device, so that the norm of all together is at most `most`.
// Returns the norm before, a tensor without dimensions.
torch::Tensor clip_on_device(Tensors& gradients, double most);

// to = to + weight * (from - to).
void lerp(Tensors& to, const Tensors& from, double weight);

using Module = std::shared_ptr<torch::nn::Module>;

struct TrainedTerms {
  std::vector<double> rates{};     // factors on the rate, by parameter; empty: all 1
  std::function<void()> settle{};  // called after each step, before it is averaged; may be empty
};

// A module's parameters with their optimizer, their averages and the schedule of their learning
// rate; and all of it as arrays.
class Trained {
 public:
  // `average`: a module of the same parameters, which become averages of the live ones'. REQUIRES:
  // config.learning_rate > 0.
  Trained(Module live, Module average, const LearnerConfig& config, const TrainedTerms& terms = {});

  // A factor on the learning rate, 1 at first.
  void scale_learning_rate(double scale) { scale_ = scale; }
  // Takes a step by the live parameters' gradients; `progress` as in Learner::train(). Returns the
  // learning rate. REQUIRES: every parameter has a gradient.
  double step(double progress);
  std::int64_t steps() const { return steps_; }
  // The live parameters, by name.
  nn::Weights parameters() const;

  // As Learner's. restore() changes nothing where the state does not fit.
  nn::Weights state() const;
  void restore(const nn::Weights& state);
  void initialize(const nn::Weights& weights);

 private:
  double learning_rate(double progress) const;
  AdamW new_optimizer() const;
  Tensors moments(const nn::Weights& state, const char* prefix) const;

  Module live_, average_;
  LearnerConfig config_;
  double average_decay_;  // a step's
  TrainedTerms terms_;
  AdamW optimizer_;
  std::int64_t steps_ = 0;
  double scale_ = 1;  // of the learning rate
};

}  // namespace training
