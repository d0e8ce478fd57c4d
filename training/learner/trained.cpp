#include "training/learner/trained.h"

#include <ATen/ATen.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "nn/network.h"

namespace training {
namespace {

constexpr double kAnnealedShare = 0.05;

// Beginnings of the names in state(), and a name.
constexpr const char *kLive = "live.", *kAverage = "average.", *kFirst = "first.",
                     *kSecond = "second.", *kSteps = "steps";

nn::Weights part(const nn::Weights& all, const std::string& prefix) {
  nn::Weights found;
  for (const auto& [name, array] : all) {
    if (name.starts_with(prefix)) found[name.substr(prefix.size())] = array;
  }
  return found;
}

torch::Tensor tensor_like(const nn::Array& array, const torch::Tensor& model) {
  auto tensor = torch::empty_like(model, model.options().requires_grad(false));
  tensor.copy_(torch::from_blob(const_cast<float*>(array.values.data()), array.shape));
  return tensor;
}

}  // namespace

Trained::Trained(Module live, Module average, const LearnerConfig& config,
                 const TrainedTerms& terms)
    : live_(std::move(live)),
      average_(std::move(average)),
      config_(config),
      average_decay_(config.average_positions > 0
                         ? std::exp(-config.batch / static_cast<double>(config.average_positions))
                         : 0),
      terms_(terms),
      optimizer_(new_optimizer()) {
  for (const auto& p : average_->parameters()) p.requires_grad_(false);
}

AdamW Trained::new_optimizer() const {
  return AdamW(live_->parameters(), config_.weight_decay, terms_.rates);
}

// The next step's.
double Trained::learning_rate(double progress) const {
  const double learned = static_cast<double>(steps_ + 1) * config_.batch;
  const double warm =
      config_.warmup_positions > 0 ? std::min(1.0, learned / config_.warmup_positions) : 1.0;
  const double left = config_.anneal_share > 0
                          ? std::clamp((1.0 - progress) / config_.anneal_share, 0.0, 1.0)
                          : 1.0;
  return config_.learning_rate * scale_ * warm * (kAnnealedShare + (1 - kAnnealedShare) * left);
}

double Trained::step(double progress) {
  const torch::NoGradGuard no_grad;
  const double rate = learning_rate(progress);
  optimizer_.step(rate);
  if (terms_.settle) terms_.settle();
  ++steps_;
  // Early on the average follows closely: it must not remember the untrained start.
  const double decay =
      std::min(average_decay_, static_cast<double>(steps_) / (10.0 + static_cast<double>(steps_)));
  Tensors average = average_->parameters();
  lerp(average, live_->parameters(), 1.0 - decay);
  return rate;
}

nn::Weights Trained::parameters() const {
  nn::Weights found;
  for (const auto& item : live_->named_parameters()) {
    found[item.key()] = nn::array_of(item.value());
  }
  return found;
}

nn::Weights Trained::state() const {
  nn::Weights all;
  const auto add = [&all](const std::string& prefix, const nn::Weights& part) {
    for (const auto& [name, array] : part) all[prefix + name] = array;
  };
  add(kLive, nn::weights_of(*live_));
  add(kAverage, nn::weights_of(*average_));
  const Tensors &first = optimizer_.first_moments(), &second = optimizer_.second_moments();
  const auto parameters = live_->named_parameters();
  for (std::size_t i = 0; i < first.size(); ++i) {
    all[kFirst + parameters[i].key()] = nn::array_of(first[i]);
    all[kSecond + parameters[i].key()] = nn::array_of(second[i]);
  }
  all[kSteps] = {{2}, {static_cast<float>(steps_ >> 20), static_cast<float>(steps_ & 0xfffff)}};
  return all;
}

// The gradients' moments, by parameter; none where no step was taken.
Tensors Trained::moments(const nn::Weights& state, const char* prefix) const {
  const nn::Weights arrays = part(state, prefix);
  Tensors found;
  if (arrays.empty()) return found;
  for (const auto& item : live_->named_parameters()) {
    found.push_back(
        tensor_like(nn::find_array(arrays, item.key(), item.value().sizes()), item.value()));
  }
  return found;
}

void Trained::restore(const nn::Weights& state) {
  Tensors first = moments(state, kFirst), second = moments(state, kSecond);
  const auto steps = state.find(kSteps);
  if (steps == state.end() || steps->second.values.size() != 2 || first.size() != second.size()) {
    throw nn::CheckpointError("the trainer's counters are missing");
  }
  const nn::Weights live = part(state, kLive);
  nn::check_weights(*live_, live);
  nn::set_weights(*average_, part(state, kAverage));
  nn::set_weights(*live_, live);
  steps_ = static_cast<std::int64_t>(steps->second.values[0]) << 20 |
           static_cast<std::int64_t>(steps->second.values[1]);
  optimizer_ = new_optimizer();
  if (!first.empty()) optimizer_.restore(std::move(first), std::move(second), steps_);
}

void Trained::initialize(const nn::Weights& given) {
  nn::Weights weights = given;
  weights.merge(nn::weights_of(*live_));  // adds what is missing
  nn::set_weights(*live_, weights);
  nn::set_weights(*average_, weights);
  optimizer_ = new_optimizer();
  steps_ = 0;
}

AdamW::AdamW(Tensors parameters, double weight_decay, std::vector<double> rates)
    : parameters_(std::move(parameters)), weight_decay_(weight_decay), rates_(std::move(rates)) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const bool learns = rates_.empty() || rates_[i] != 0;
    if (learns && parameters_[i].dim() > 1) weights_.push_back(parameters_[i]);
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
