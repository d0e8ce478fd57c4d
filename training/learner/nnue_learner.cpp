#include "training/learner/nnue_learner.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/stopwatch.h"
#include "nn/inference.h"
#include "nn/network.h"
#include "nn/torch_threads.h"
#include "training/learner/learner_parts.h"
#include "training/learner/losses.h"

namespace training {
namespace {

using Shape = tactics::NnueShape;
using nn::NnueFloatWeights;

// Random streams besides those of the steps, which count from 0.
enum NnueStream : std::uint64_t { kNnueFitStream = std::uint64_t{1} << 63, kNnueExplosionStream };

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kShared{"kinds", "pieces"};  // parameters that a file does not have

void fill_uniform(std::vector<float>& values, double largest, base::Rng& rng) {
  for (float& v : values) v = static_cast<float>((2 * rng.uniform() - 1) * largest);
}

std::vector<std::shared_ptr<NnueModule>> modules(int count) {
  std::vector<std::shared_ptr<NnueModule>> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(std::make_shared<NnueModule>());
    if (i > 0) share_parameters(*all.front(), *all.back());
  }
  return all;
}

}  // namespace

// Weights as of PyTorch's linear layers, biases in the middle of where the activation has a slope.
// About 35 features are active, so that sums spread by about 0.4 around their bias.
NnueFloatWeights initial_nnue(std::uint64_t seed) {
  base::Rng rng(seed);
  NnueFloatWeights weights;
  fill_uniform(weights.feature, std::sqrt(1.0 / 60), rng);
  fill_uniform(weights.first, std::sqrt(1.0 / (2 * Shape::kSums + Shape::kTable)), rng);
  fill_uniform(weights.table, std::sqrt(1.0 / (2 * Shape::kSums + Shape::kTable)), rng);
  fill_uniform(weights.second, std::sqrt(1.0 / Shape::kHidden), rng);
  fill_uniform(weights.out, std::sqrt(1.0 / Shape::kHidden), rng);
  for (auto* bias : {&weights.bias, &weights.first_bias, &weights.second_bias}) {
    std::ranges::fill(*bias, 0.5f);
  }
  return weights;
}

std::vector<float> outcomes_of(const NnueFloatWeights& weights, const NnueBatch& batch) {
  const nn::TorchThreads one(1);
  NnueModule module;
  nn::Weights arrays = nn::to_arrays(weights);
  arrays.merge(nn::weights_of(module));
  nn::set_weights(module, arrays);
  const torch::Tensor found = torch::softmax(module.logits(batch), 1).contiguous();
  return {found.data_ptr<float>(), found.data_ptr<float>() + found.numel()};
}

NnueLearner::NnueLearner(const LearnerConfig& config, int threads, std::uint64_t seed)
    : rng_(seed),
      shards_(modules((config.batch + config.shard_rows - 1) / config.shard_rows)),
      rows_(config.batch / static_cast<int>(shards_.size())),
      trained_(shards_[0], average_, config,
               {shards_[0]->rates(config.last_layer_alone),
                [module = shards_[0]] { module->settle(); }}),
      trainer_({shards_.begin(), shards_.end()}, trained_, config, threads) {
  initialize(nn::to_arrays(initial_nnue(seed)));
}

LearnerReport NnueLearner::train(const DrawRows& draw, std::int64_t steps, double progress,
                                 const std::atomic<bool>* stop) {
  const auto begin = std::chrono::steady_clock::now();
  LearnerReport report = trainer_.train(steps, progress, stop, [&](std::size_t shard) {
    thread_local NnueBatch batch;
    base::Rng rng =
        rng_.split(static_cast<std::uint64_t>(trained_.steps()) * shards_.size() + shard);
    draw(rows_, rng, batch);
    return shards_[shard]->backward(batch);
  });
  if (!report.diverged && report.steps > 0) {
    report.diverged = !std::isfinite(outcome_gap(*shards_[0], draw, rows_, kNnueExplosionStream));
  }
  for (double& loss : report.losses) loss /= std::max(1.0, static_cast<double>(report.steps));
  for (const Loss none : {kPolicyLoss, kPolicyFloor, kMovesLeftLoss, kAuxiliaryLoss}) {
    report.losses[none] = kNone;
  }
  report.seconds = base::seconds_since(begin);
  return report;
}

Learner::Fit NnueLearner::fit(const DrawRows& draw, int rows) const {
  return {kNone, outcome_gap(*average_, draw, rows, kNnueFitStream)};
}

NnueFloatWeights NnueLearner::averaged_weights() const {
  nn::Weights arrays = nn::weights_of(*average_);
  for (const char* shared : kShared) arrays.erase(shared);
  return nn::from_arrays(arrays);
}

void NnueLearner::initialize(const nn::Weights& weights) {
  trained_.initialize(weights);
  shards_[0]->settle();
}

// The distance from the targets, in nats.
double NnueLearner::outcome_gap(const NnueModule& module, const DrawRows& draw, int rows,
                                std::uint64_t stream) const {
  const nn::TorchThreads one(1);
  NnueBatch batch;
  base::Rng rng = rng_.split(stream);
  draw(rows, rng, batch);
  const auto targets = torch::from_blob(batch.outcomes.data(), {batch.rows, rules::kOutcomes});
  const auto chances = torch::log_softmax(module.logits(batch), 1);
  return (-(targets * chances).sum() / batch.rows - entropy(targets)).item<double>();
}

}  // namespace training
