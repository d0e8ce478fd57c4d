#include "training/learner/nnue_learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "tests/nn/random_positions.h"

namespace training {
namespace {

using Shape = tactics::NnueShape;
using rules::Color;
using rules::Position;

OutcomeTarget random_target(base::Rng& rng) {
  OutcomeTarget target{};
  float sum = 0;
  for (float& t : target) sum += t = static_cast<float>(std::pow(rng.uniform(), 4));
  for (float& t : target) t /= sum;
  return target;
}

// Distinct positions that each have a target of their own.
NnueBatch random_batch(std::size_t rows, std::uint64_t seed) {
  base::Rng rng(seed);
  NnueBatch batch;
  for (const Position& position : random_positions(rows, seed)) {
    batch.add(position, tactics::nnue_table({}, position.side_to_move()), random_target(rng));
  }
  return batch;
}

double entropy(const NnueBatch& batch) {
  double sum = 0;
  for (const float t : batch.outcomes) sum -= t > 0 ? t * std::log(t) : 0;
  return sum / batch.rows;
}

TEST(NnueLearner, TheLossOfConstantAnswersIsKnown) {
  nn::NnueFloatWeights weights;
  const std::array<double, 7> p{0.3, 0.05, 0.1, 0.15, 0.2, 0.05, 0.15};
  std::ranges::transform(p, weights.out_bias.begin(),
                         [](double x) { return static_cast<float>(std::log(x) + 3); });
  const NnueLearner learner(weights);
  const NnueBatch batch = random_batch(50, 1);
  double expected = 0;
  for (std::size_t i = 0; i < batch.outcomes.size(); ++i) {
    expected -= batch.outcomes[i] * std::log(p[i % 7]) / 50;
  }
  EXPECT_NEAR(learner.loss(batch), expected, 1e-5);
  const std::vector<float> found = learner.outcomes(batch);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], p[i % 7], 1e-6);
}

// One path of weights through all layers: a knight on g1 of the side whose view it is.
TEST(NnueLearner, ComputesByTheFormula) {
  const Position position = Position::from_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", rules::kChess960);
  constexpr std::size_t kOwnKnight = 64 + 6, kEnemyKnight = 384 + 64 + (6 ^ 56);
  NnueBatch batch;
  const NnueTable table{0.5f};
  batch.add(position, table, {1});
  const auto logit = [&](std::size_t feature, std::size_t view) {
    nn::NnueFloatWeights w;
    w.bias[9] = 0.1f;
    w.feature[feature * Shape::kSums + 9] = 0.6f;
    w.first[5 * 2 * Shape::kSums + view * Shape::kSums + 9] = 0.8f;
    w.first_bias[5] = 0.1f;
    w.table[0 * Shape::kHidden + 5] = 0.2f;
    w.second[5 * Shape::kHidden + 3] = 1.5f;
    w.second_bias[3] = 0.2f;
    w.out[3 * 7 + 4] = 2;
    w.out_bias[4] = 0.3f;
    const std::vector<float> found = NnueLearner(w).outcomes(batch);
    return std::log(found[4] / found[0]);
  };
  const auto formula = [](double sum) {
    const auto h = [](double z) { return std::pow(std::clamp(z, 0.0, 1.0), 2); };
    return 0.3 + 2 * h(0.2 + 1.5 * h(0.1 + 0.5 * 0.2 + 0.8 * h(sum)));
  };
  EXPECT_NEAR(logit(kOwnKnight, 0), formula(0.7), 1e-5);
  EXPECT_NEAR(logit(kOwnKnight, 1), formula(0.1), 1e-5);
  EXPECT_NEAR(logit(kEnemyKnight, 1), formula(0.7), 1e-5);
  EXPECT_NEAR(logit(kEnemyKnight, 0), formula(0.1), 1e-5);
}

// Adam's first moment after one step is a tenth of the gradient. The slopes of the activation jump
// where it is cut off, so that finite differences come close only.
TEST(NnueLearner, GradientsAreTheSlopesOfTheLoss) {
  const NnueBatch batch = random_batch(64, 2);
  const nn::NnueFloatWeights start = initial_nnue(3);
  NnueLearner learner(start);
  learner.step(batch, 1e-3);
  const nn::Weights state = learner.state();
  nn::NnueFloatWeights probe = start;
  base::Rng rng(4);
  nn::NnueFloatWeights::visit(
      probe, [&](const char* name, std::vector<float>& values, const auto&) {
        const std::vector<float>& gradient = state.at(std::string("first.") + name).values;
        const double largest =
            std::abs(*std::ranges::max_element(gradient, {}, [](float g) { return std::abs(g); })) *
            10.0;
        ASSERT_GT(largest, 0) << name;
        int looked_at = 0;
        for (int tries = 0; tries < 100000 && looked_at < 7; ++tries) {
          const auto i = rng.below(static_cast<std::uint32_t>(values.size()));
          if (std::abs(gradient[i]) * 10.0 < 0.5 * largest) continue;
          ++looked_at;
          const float before = values[i];
          constexpr float kStep = 0.01f;
          values[i] = before + kStep;
          const double above = NnueLearner(probe).loss(batch);
          values[i] = before - kStep;
          const double below = NnueLearner(probe).loss(batch);
          values[i] = before;
          EXPECT_NEAR((above - below) / (2 * kStep), gradient[i] * 10.0, 0.12 * largest + 2e-5)
              << name << " " << i;
        }
        EXPECT_GT(looked_at, 0) << name;
      });
}

TEST(NnueLearner, LearnsAFewPositionsByHeart) {
  const NnueBatch batch = random_batch(300, 5);
  NnueLearner learner(7);
  const double floor = entropy(batch);
  const double first = learner.step(batch, 2e-3);
  EXPECT_GT(first, floor + 0.4);
  EXPECT_LT(first, 2.2);
  for (int i = 0; i < 400; ++i) learner.step(batch, i < 250 ? 2e-3 : 5e-4);
  EXPECT_LT(learner.loss(batch), floor + 0.02);
  EXPECT_EQ(learner.steps_taken(), 401);
}

TEST(NnueLearner, StartsAlive) {
  const NnueBatch batch = random_batch(200, 6);
  NnueLearner learner(1);
  learner.step(batch, 0);
  const nn::Weights state = learner.state();
  for (const auto& [name, array] : state) {
    if (!name.starts_with("first.") || name == "first.feature") continue;
    const auto zeros = std::ranges::count(array.values, 0.0f);
    EXPECT_LT(zeros, static_cast<std::ptrdiff_t>(array.values.size() / 5)) << name;
  }
}

TEST(NnueLearner, GoesOnFromItsStateToTheSameWeights) {
  const NnueBatch batch = random_batch(100, 8);
  NnueLearner whole(1), resumed(2);
  for (int i = 0; i < 5; ++i) whole.step(batch, 1e-3);
  resumed.restore(whole.state());
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(whole.step(batch, 1e-3), resumed.step(batch, 1e-3));
  }
  EXPECT_EQ(whole.weights(), resumed.weights());
  EXPECT_EQ(whole.steps_taken(), 10);
  nn::Weights bad = whole.state();
  bad.erase("second.bias");
  EXPECT_THROW(resumed.restore(bad), nn::CheckpointError);
  bad = whole.state();
  bad.erase("steps");
  EXPECT_THROW(resumed.restore(bad), nn::CheckpointError);
  EXPECT_EQ(whole.weights(), resumed.weights()) << "what does not fit changes nothing";
}

TEST(NnueLearner, WeightsStayWithinWhatTheIntegersHold) {
  const NnueBatch batch = random_batch(100, 9);
  NnueLearner learner(1);
  for (int i = 0; i < 5; ++i) learner.step(batch, 1);
  const nn::NnueFloatWeights& weights = learner.weights();
  const auto largest = [](const std::vector<float>& values) {
    return std::abs(*std::ranges::max_element(values, {}, [](float w) { return std::abs(w); }));
  };
  EXPECT_EQ(largest(weights.feature), nn::kMaxNnueFeature);
  EXPECT_EQ(largest(weights.bias), nn::kMaxNnueFeature);
}

TEST(NnueLearner, AStepWithoutAFiniteLossIsNotTaken) {
  NnueBatch batch = random_batch(10, 9);
  batch.outcomes[3] = std::numeric_limits<float>::quiet_NaN();
  NnueLearner learner(1);
  EXPECT_FALSE(std::isfinite(learner.step(batch, 1e-3)));
  EXPECT_EQ(learner.weights(), initial_nnue(1));
  EXPECT_EQ(learner.steps_taken(), 0);
}

}  // namespace
}  // namespace training
