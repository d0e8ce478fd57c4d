#include "training/learner/nnue_learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "tests/nn/random_positions.h"
#include "tests/training/by_stack.h"

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
  for (const Position& position : by_stack(random_positions(rows, seed))) {
    batch.add(position, tactics::nnue_table({}, position.side_to_move()), random_target(rng));
  }
  return batch;
}

double entropy(const NnueBatch& batch) {
  double sum = 0;
  for (const float t : batch.outcomes) sum -= t > 0 ? t * std::log(t) : 0;
  return sum / batch.rows;
}

// The mean cross-entropy of the weights' answers, in nats.
double loss(const nn::NnueFloatWeights& weights, const NnueBatch& batch) {
  const std::vector<float> found = outcomes_of(weights, batch);
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (batch.outcomes[i] > 0) sum -= batch.outcomes[i] * std::log(found[i]);
  }
  return sum / batch.rows;
}

// Draws the same batch each time.
DrawRows always(const NnueBatch& batch) {
  return [&batch](int, base::Rng&, NnueBatch& out) { out = batch; };
}

// A learner that takes the batch whole, at that rate, and plays by the weights of its last step.
LearnerConfig whole(const NnueBatch& batch, float rate = 1e-3f) {
  LearnerConfig config;
  config.batch = config.shard_rows = batch.rows;
  config.learning_rate = rate;
  config.warmup_positions = 0;
  config.weight_decay = 0;
  config.average_positions = 0;
  config.clip_norm = 1000;
  return config;
}

nn::NnueFloatWeights live(const NnueLearner& learner) {
  nn::Weights found;
  for (const auto& [name, array] : learner.state()) {
    if (name.starts_with("live.") && name != "live.kinds" && name != "live.pieces")
      found[name.substr(5)] = array;
  }
  return nn::from_arrays(found);
}

TEST(NnueLearner, TheLossOfConstantAnswersIsKnown) {
  nn::NnueFloatWeights weights;
  const std::array<double, 7> p{0.3, 0.05, 0.1, 0.15, 0.2, 0.05, 0.15};
  for (std::size_t i = 0; i < weights.out_bias.size(); ++i) {
    weights.out_bias[i] = static_cast<float>(std::log(p[i % 7]) + 3);
  }
  const NnueBatch batch = random_batch(50, 1);
  double expected = 0;
  for (std::size_t i = 0; i < batch.outcomes.size(); ++i) {
    expected -= batch.outcomes[i] * std::log(p[i % 7]) / 50;
  }
  const std::vector<float> found = outcomes_of(weights, batch);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], p[i % 7], 1e-6);
  NnueLearner learner(whole(batch), 1, 1);
  learner.initialize(nn::to_arrays(weights));
  EXPECT_NEAR(learner.fit(always(batch), batch.rows).outcome, expected - entropy(batch), 1e-5);
  const LearnerReport report = learner.train(always(batch), 1, 0);
  EXPECT_NEAR(report.losses[kOutcomeLoss], expected, 1e-5);
  EXPECT_NEAR(report.losses[kTotal], expected - entropy(batch), 1e-5);
  EXPECT_TRUE(std::isnan(report.losses[kPolicyLoss])) << "it has no policy";
}

// One path of weights through all layers: a knight on g1 of the side whose view it is, which sees
// it on b1, as its king is on the right.
TEST(NnueLearner, ComputesByTheFormula) {
  const Position position = Position::from_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", rules::kChess960);
  constexpr std::size_t kMiddle = 2 * Shape::kKinds;
  constexpr std::size_t kOwnKnight = kMiddle + 64 + 1, kEnemyKnight = kMiddle + 384 + 64 + (1 ^ 56);
  constexpr std::size_t kStack = 7;  // the last
  NnueBatch batch;
  const NnueTable table{0.5f};
  batch.add(position, table, {1});
  const auto logit = [&](std::size_t feature, std::size_t view) {
    nn::NnueFloatWeights w;
    w.bias[9] = 0.1f;
    w.feature[feature * Shape::kSums + 9] = 0.6f;
    constexpr std::size_t kHidden = Shape::kHidden;
    w.first[((kStack * kHidden + 5) * 2 + view) * Shape::kSums + 9] = 0.8f;
    w.first_bias[kStack * kHidden + 5] = 0.1f;
    w.table[(kStack * Shape::kTable + 0) * kHidden + 5] = 0.2f;
    w.second[(kStack * kHidden + 5) * kHidden + 3] = 1.5f;
    w.second_bias[kStack * kHidden + 3] = 0.2f;
    w.out[(kStack * kHidden + 3) * 7 + 4] = 2;
    w.out_bias[kStack * 7 + 4] = 0.3f;
    const std::vector<float> found = outcomes_of(w, batch);
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
  NnueLearner learner(whole(batch), 1, 3);
  learner.train(always(batch), 1, 0);
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
          const double above = loss(probe, batch);
          values[i] = before - kStep;
          const double below = loss(probe, batch);
          values[i] = before;
          EXPECT_NEAR((above - below) / (2 * kStep), gradient[i] * 10.0, 0.12 * largest + 2e-5)
              << name << " " << i;
        }
        EXPECT_GT(looked_at, 0) << name;
      });
}

// What a piece's features have in common is learned on all its squares, in hand, and for every
// place of the king at once.
TEST(NnueLearner, AStepMovesAPieceOnAllItsSquares) {
  constexpr std::size_t kSums = Shape::kSums;
  const Position position = Position::from_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", rules::kChess960);
  NnueBatch batch;
  batch.add(position, {}, {1});
  NnueLearner learner(whole(batch), 1, 1);
  const nn::NnueFloatWeights before = live(learner);
  learner.train(always(batch), 1, 0);
  const nn::NnueFloatWeights after = live(learner);
  const auto moved = [&](std::size_t kind, std::size_t place = 2) {
    const std::size_t feature = place * Shape::kKinds + kind;
    double sum = 0;
    for (std::size_t j = feature * kSums; j < (feature + 1) * kSums; ++j) {
      sum += std::abs(after.feature[j] - before.feature[j]);
    }
    return sum;
  };
  constexpr std::size_t kKnight = 64, kQueen = 4 * 64, kKnightInHand = Shape::kPieceSquares;
  EXPECT_GT(moved(kKnight + 1), 1.3 * moved(kKnight + 1, 4)) << "its own place, too";
  EXPECT_GT(moved(kKnight + 1, 4), 1.5 * moved(kKnight + 30)) << "its own square, too";
  EXPECT_GT(moved(kKnight + 30), 0);
  EXPECT_NEAR(moved(kKnight + 30), moved(kKnight + 30, 0), 1e-3 * moved(kKnight + 30));
  EXPECT_NEAR(moved(kKnight + 30), moved(kKnightInHand), 1e-3 * moved(kKnight + 30));
  EXPECT_EQ(moved(kQueen + 30), 0);
}

TEST(NnueLearner, LearnsAFewPositionsByHeart) {
  const NnueBatch batch = random_batch(300, 5);
  LearnerConfig config = whole(batch, 2e-3f);
  config.anneal_share = 0.5f;
  NnueLearner learner(config, 1, 7);
  const double floor = entropy(batch);
  const double first = learner.train(always(batch), 1, 0).losses[kOutcomeLoss];
  EXPECT_GT(first, floor + 0.4);
  EXPECT_LT(first, 2.2);
  learner.train(always(batch), 250, 0);
  learner.train(always(batch), 150, 0.9);
  EXPECT_LT(learner.fit(always(batch), batch.rows).outcome, 0.02);
  EXPECT_EQ(learner.steps_taken(), 401);
}

TEST(NnueLearner, LearnsTheLastLayerAloneWhereAsked) {
  const NnueBatch batch = random_batch(300, 5);
  LearnerConfig config = whole(batch, 2e-2f);
  config.last_layer_alone = true;
  config.weight_decay = 0.01f;
  NnueLearner learner(config, 1, 7);
  const nn::Weights before = nn::to_arrays(learner.averaged_weights());
  const double gap = learner.fit(always(batch), batch.rows).outcome;
  learner.train(always(batch), 200, 0);
  EXPECT_LT(learner.fit(always(batch), batch.rows).outcome, gap - 0.1);
  for (const auto& [name, array] : nn::to_arrays(learner.averaged_weights())) {
    EXPECT_EQ(array.values != before.at(name).values, name.starts_with("out")) << name;
  }
}

TEST(NnueLearner, StartsAlive) {
  const NnueBatch batch = random_batch(200, 6);
  NnueLearner learner(whole(batch), 1, 1);
  learner.train(always(batch), 1, 0);
  const nn::Weights state = learner.state();
  for (const auto& [name, array] : state) {
    if (!name.starts_with("first.") || name == "first.feature" || name == "first.kinds" ||
        name == "first.pieces")
      continue;
    const auto zeros = std::ranges::count(array.values, 0.0f);
    EXPECT_LT(zeros, static_cast<std::ptrdiff_t>(array.values.size() / 5)) << name;
  }
}

TEST(NnueLearner, GoesOnFromItsStateToTheSameWeights) {
  const NnueBatch batch = random_batch(100, 8);
  LearnerConfig config = whole(batch);
  config.average_positions = 950;
  NnueLearner unbroken(config, 1, 1), resumed(config, 1, 1);
  unbroken.train(always(batch), 10, 0);
  {
    NnueLearner stopped(config, 1, 1);
    stopped.train(always(batch), 5, 0);
    resumed.train(always(batch), 2, 0);
    resumed.restore(stopped.state());
  }
  resumed.train(always(batch), 5, 0);
  EXPECT_EQ(unbroken.state(), resumed.state());
  EXPECT_EQ(unbroken.averaged_weights(), resumed.averaged_weights());
  EXPECT_EQ(resumed.steps_taken(), 10);
  for (const char* name : {"second.bias", "average.bias", "steps"}) {
    nn::Weights bad = unbroken.state();
    bad.erase(name);
    bad.at("live.bias").values[0] += 1;
    EXPECT_THROW(resumed.restore(bad), nn::CheckpointError);
  }
  EXPECT_EQ(unbroken.state(), resumed.state()) << "what does not fit changes nothing";
}

TEST(NnueLearner, WeightsDoNotDependOnThreads) {
  LearnerConfig config = whole(random_batch(96, 9));
  config.shard_rows = 32;
  const DrawRows draw = [](int rows, base::Rng& rng, NnueBatch& out) {
    const auto positions = by_stack(random_positions(static_cast<std::size_t>(rows), rng.next()));
    out.clear();
    for (const Position& position : positions) {
      out.add(position, tactics::nnue_table({}, position.side_to_move()), random_target(rng));
    }
  };
  NnueLearner one(config, 1, 1), three(config, 3, 1);
  one.train(draw, 4, 0);
  three.train(draw, 4, 0);
  EXPECT_EQ(one.state(), three.state());
}

TEST(NnueLearner, WeightsStayWithinWhatTheIntegersHold) {
  const NnueBatch batch = random_batch(100, 9);
  NnueLearner learner(whole(batch, 1), 1, 1);
  learner.train(always(batch), 5, 0);
  const nn::NnueFloatWeights weights = live(learner);
  const auto largest = [](const std::vector<float>& values) {
    return std::abs(*std::ranges::max_element(values, {}, [](float w) { return std::abs(w); }));
  };
  EXPECT_EQ(largest(weights.feature), nn::kMaxNnueFeature);
  EXPECT_EQ(largest(weights.bias), nn::kMaxNnueFeature);
}

TEST(NnueLearner, AStepWithoutAFiniteLossIsNotTaken) {
  NnueBatch batch = random_batch(10, 9);
  batch.outcomes[3] = std::numeric_limits<float>::quiet_NaN();
  NnueLearner learner(whole(batch), 1, 1);
  EXPECT_TRUE(learner.train(always(batch), 3, 0).diverged);
  EXPECT_EQ(live(learner), initial_nnue(1));
  EXPECT_EQ(learner.steps_taken(), 0);
}

}  // namespace
}  // namespace training
