#include <gtest/gtest.h>
#include <torch/optim.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "training/learner/trained.h"

namespace training {
namespace {

// A convolution's weights, a matrix and a bias.
Tensors parameters(std::uint64_t seed) {
  torch::manual_seed(seed);
  Tensors all{torch::randn({8, 4, 3, 3}).contiguous(torch::MemoryFormat::ChannelsLast),
              torch::randn({5, 7}), torch::randn({7})};
  for (torch::Tensor& p : all) p.requires_grad_();
  return all;
}

void set_gradients(const Tensors& parameters, std::uint64_t seed, double scale) {
  torch::manual_seed(seed);
  for (const torch::Tensor& p : parameters) {
    torch::Tensor(p).mutable_grad() = scale * torch::randn_like(p);
  }
}

void expect_equal(const Tensors& found, const Tensors& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i].equal(expected[i])) << i;
}

TEST(AdamW, TakesTheStepsOfTorchsOwn) {
  constexpr double kDecay = 0.03;
  const Tensors own = parameters(1), theirs = parameters(1);
  AdamW optimizer(own, kDecay);
  using Options = torch::optim::AdamWOptions;
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(Tensors{theirs[0], theirs[1]},
                      std::make_unique<Options>(Options().weight_decay(kDecay)));
  groups.emplace_back(Tensors{theirs[2]}, std::make_unique<Options>(Options().weight_decay(0)));
  torch::optim::AdamW reference(std::move(groups), Options());
  for (std::uint64_t step = 0; step < 20; ++step) {
    const double rate = 1e-3 * static_cast<double>(step + 1);
    set_gradients(own, step, 0.5);
    set_gradients(theirs, step, 0.5);
    for (auto& group : reference.param_groups()) static_cast<Options&>(group.options()).lr(rate);
    optimizer.step(rate);
    reference.step();
    expect_equal(own, theirs);
  }
}

TEST(AdamW, RatesAreFactorsOnTheLearningRate) {
  const Tensors own = parameters(1), full = parameters(1), slow = parameters(1);
  AdamW optimizer(own, 0, {1, 0.1, 1}), at_full_rate(full, 0), at_a_tenth(slow, 0);
  for (std::uint64_t step = 0; step < 5; ++step) {
    for (const Tensors* all : {&own, &full, &slow}) set_gradients(*all, step, 0.5);
    optimizer.step(1e-2);
    at_full_rate.step(1e-2);
    at_a_tenth.step(1e-3);
  }
  EXPECT_TRUE(own[0].equal(full[0]));
  EXPECT_TRUE(own[1].allclose(slow[1], 1e-6, 1e-7));
  EXPECT_FALSE(own[1].allclose(full[1]));
  EXPECT_TRUE(own[2].equal(full[2]));
}

TEST(AdamW, GoesOnWhereItWas) {
  const Tensors whole = parameters(1), begun = parameters(1);
  AdamW one(whole, 0.01), first_half(begun, 0.01);
  EXPECT_TRUE(one.first_moments().empty());
  for (std::uint64_t step = 0; step < 3; ++step) {
    set_gradients(whole, step, 1);
    set_gradients(begun, step, 1);
    one.step(0.1);
    first_half.step(0.1);
  }
  AdamW second_half(begun, 0.01);
  second_half.restore(first_half.first_moments(), first_half.second_moments(), 3);
  set_gradients(whole, 3, 1);
  set_gradients(begun, 3, 1);
  one.step(0.1);
  second_half.step(0.1);
  expect_equal(begun, whole);
}

TEST(Gradients, AreClippedToTheirNormTogether) {
  const Tensors all = parameters(1);
  for (const double scale : {0.01, 10.0}) {
    set_gradients(all, 2, scale);
    Tensors gradients = gradients_of(all);
    double squares = 0;
    Tensors before;
    for (const torch::Tensor& g : gradients) {
      squares += g.square().sum().item<double>();
      before.push_back(g.clone());
    }
    const double norm = std::sqrt(squares);
    EXPECT_NEAR(clip_on_device(gradients, 1).item<double>(), norm, 1e-5 * norm);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_TRUE(torch::allclose(all[i].grad(), before[i] * std::min(1.0, 1 / norm), 1e-4, 1e-7));
    }
  }
}

TEST(Averages, FollowTheirSource) {
  const torch::NoGradGuard no_grad;
  Tensors average = parameters(1);
  const Tensors live = parameters(2), before = parameters(1);
  lerp(average, live, 0.25);
  for (std::size_t i = 0; i < live.size(); ++i) {
    EXPECT_TRUE(torch::allclose(average[i], 0.75 * before[i] + 0.25 * live[i]));
  }
}

}  // namespace
}  // namespace training
