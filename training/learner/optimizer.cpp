#include "training/learner/optimizer.h"

#include <ATen/ATen.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <cmath>
#include <utility>

namespace training {

AdamW::AdamW(Tensors parameters, double weight_decay, std::vector<double> rates)
    : parameters_(std::move(parameters)), weight_decay_(weight_decay), rates_(std::move(rates)) {
  for (const torch::Tensor& p : parameters_) {
    if (p.dim() > 1) weights_.push_back(p);
  }
}

void AdamW::step(double learning_rate) {
  constexpr double kFirstDecay = 0.9, kSecondDecay = 0.999, kEpsilon = 1e-8;
  const torch::NoGradGuard no_grad;
  if (first_.empty()) {
    for (const torch::Tensor& p : parameters_) {
      first_.push_back(torch::zeros_like(p));
      second_.push_back(torch::zeros_like(p));
    }
  }
  const Tensors gradients = gradients_of(parameters_);
  const auto steps = static_cast<double>(++steps_);
  const double first_share = 1 - std::pow(kFirstDecay, steps);
  const double second_share = 1 - std::pow(kSecondDecay, steps);
  at::_foreach_mul_(weights_, 1 - learning_rate * weight_decay_);
  at::_foreach_mul_(first_, kFirstDecay);
  at::_foreach_add_(first_, gradients, 1 - kFirstDecay);
  at::_foreach_mul_(second_, kSecondDecay);
  at::_foreach_addcmul_(second_, gradients, gradients, 1 - kSecondDecay);
  Tensors divisors = at::_foreach_sqrt(second_);
  at::_foreach_div_(divisors, std::sqrt(second_share));
  at::_foreach_add_(divisors, kEpsilon);
  const double step = -learning_rate / first_share;
  if (rates_.empty()) {
    at::_foreach_addcdiv_(parameters_, first_, divisors, step);
    return;
  }
  std::vector<at::Scalar> steps_by_parameter;
  for (const double rate : rates_) steps_by_parameter.emplace_back(rate * step);
  at::_foreach_addcdiv_(parameters_, first_, divisors, steps_by_parameter);
}

void AdamW::restore(Tensors first, Tensors second, std::int64_t steps) {
  first_ = std::move(first);
  second_ = std::move(second);
  steps_ = steps;
}

Tensors gradients_of(const Tensors& parameters) {
  Tensors gradients;
  gradients.reserve(parameters.size());
  for (const torch::Tensor& p : parameters) gradients.push_back(p.grad());
  return gradients;
}

torch::Tensor clip_on_device(Tensors& gradients, double most) {
  const torch::Tensor norm = torch::stack(at::_foreach_norm(gradients)).norm();
  const torch::Tensor factor = (most / (norm + 1e-6)).clamp_max(1);
#if TORCH_VERSION_MAJOR >= 2
  at::_foreach_mul_(gradients, factor);
#else
  for (torch::Tensor& gradient : gradients) gradient.mul_(factor);
#endif
  return norm;
}

void lerp(Tensors& to, const Tensors& from, double weight) {
#if TORCH_VERSION_MAJOR >= 2
  at::_foreach_lerp_(to, from, weight);
#else
  for (std::size_t i = 0; i < to.size(); ++i) to[i].lerp_(from[i], weight);
#endif
}

}  // namespace training
