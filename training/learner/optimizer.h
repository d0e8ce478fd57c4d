#pragma once
// AdamW and what a step does beside it, over all parameters with few calls, for on a GPU each
// has its price. Includes LibTorch: only .cpp files of this folder include it.

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace training {

using Tensors = std::vector<torch::Tensor>;

// Loshchilov and Hutter's, with torch::optim::AdamW's defaults and the same numbers on a CPU.
class AdamW {
 public:
  // Weights decay, biases and norms (of one dimension) do not. `rates`: factors on the learning
  // rate, by parameter; empty: all 1. Weights decay by the rate without them.
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

}  // namespace training
