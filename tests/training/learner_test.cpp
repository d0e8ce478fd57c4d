#include "training/learner/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "nn/device.h"
#include "nn/inference.h"
#include "nn/int8_calibration.h"
#include "nn/precision.h"
#include "tests/training/random_game.h"
#include "training/learner/replay_window.h"

namespace training {
namespace {

nn::NetworkConfig small_network(const nn::Encoder& encoder = {}) {
  return {2, 32, 2, 16, 8, 32, encoder.shape()};
}

LearnerConfig quick_learning() {
  LearnerConfig config;
  config.batch = 64;
  config.learning_rate = 5e-3f;
  config.warmup_positions = 640;
  config.anneal_share = 0;
  config.weight_decay = 0;
  config.search_value_share = 0;
  config.auxiliary_weight = 0.1f;
  return config;
}

void expect_overfitted(const std::string& device, rules::RuleSet rules) {
  const nn::Encoder encoder(rules);
  ReplayWindow window(quick_learning(), encoder);
  window.add(random_game(3, rules));
  const auto learner = make_learner(small_network(encoder), quick_learning(), device, 2, 1);
  const LearnerReport first = learner->train(window, 5, 0);
  learner->train(window, 350, 0);
  const LearnerReport last = learner->train(window, 10, 0);
  ASSERT_FALSE(last.diverged);
  EXPECT_EQ(last.steps, 10);
  EXPECT_GT(first.losses[kPolicyLoss], 1.5);
  EXPECT_LT(last.losses[kPolicyLoss], 0.15);
  EXPECT_LT(last.losses[kOutcomeLoss], 0.02);
}

class Overfitting : public testing::TestWithParam<rules::RuleSet> {};

TEST_P(Overfitting, OneGameToNearlyZeroLoss) { expect_overfitted("cpu", GetParam()); }

TEST(LearnerOnADevice, OverfitsOneGame) {
  if (nn::resolve_device("auto") != "cuda") GTEST_SKIP() << "there is no GPU";
  expect_overfitted("cuda", {});
}

// Chess960 has castling and en passant, Chess+ entries with a pawn's step, both promotion to less.
INSTANTIATE_TEST_SUITE_P(Learner, Overfitting,
                         testing::Values(rules::RuleSet{}, rules::kChess960, rules::kChessPlus));

TEST(Learner, TheLossesFloorIsTheEntropyOfTheTargets) {
  const auto report_of = [](const selfplay::GameRecord& game) {
    ReplayWindow window(quick_learning());
    window.add(game);
    const auto learner = make_learner(small_network(), quick_learning(), "cpu", 1, 1);
    return learner->train(window, 1, 0);
  };
  selfplay::GameRecord game = random_game(4);
  const LearnerReport certain = report_of(game);
  EXPECT_NEAR(certain.losses[kPolicyFloor], 0.0, 1e-5);
  EXPECT_NEAR(certain.losses[kOutcomeLoss], std::log(7.0),
              1e-3);  // an untrained network is indifferent
  for (rules::Position position = game.start(); selfplay::PlyRecord & ply : game.plies) {
    rules::MoveList moves;
    position.surviving_moves(moves);
    ply.is_target = moves.size() > 1;
    if (ply.is_target) ply.policy = {{moves[0], 0.5f}, {moves[1], 0.5f}};
    position.play(ply.played);
  }
  EXPECT_NEAR(report_of(game).losses[kPolicyFloor], std::log(2.0), 1e-5);
}

TEST(Learner, GoesOnFromItsStateToTheSameWeights) {
  ReplayWindow window(quick_learning());
  for (std::uint64_t seed = 10; seed < 14; ++seed) window.add(random_game(seed));
  const auto whole = make_learner(small_network(), quick_learning(), "cpu", 2, 5);
  whole->train(window, 6, 0);
  const nn::Weights half_way = whole->state();
  whole->train(window, 6, 0.5);

  const auto resumed = make_learner(small_network(), quick_learning(), "cpu", 2, 5);
  resumed->restore(half_way);
  resumed->train(window, 6, 0.5);
  EXPECT_EQ(whole->state(), resumed->state());
  EXPECT_EQ(whole->averaged_weights(window), resumed->averaged_weights(window));
}

TEST(Learner, WhatAThreadThrowsComesOut) {
  selfplay::GameRecord game = random_game(4);
  game.start_fen = "not a position";
  ReplayWindow window(quick_learning());
  window.add(game);
  const auto learner = make_learner(small_network(), quick_learning(), "cpu", 2, 1);
  EXPECT_THROW(learner->train(window, 3, 0), rules::RulesError);
}

TEST(Learner, AStepTakesEquallyManyRowsForEachShard) {
  const auto rows = [](int shard_rows) {
    LearnerConfig config = quick_learning();
    config.shard_rows = shard_rows;
    return make_learner(small_network(), config, "cpu", 1, 1)->rows_per_step();
  };
  EXPECT_EQ(rows(128), 64);
  EXPECT_EQ(rows(32), 64);
  EXPECT_EQ(rows(22), 63);  // three shards of 21
}

TEST(Learner, LearnsTheSameOnAnyNumberOfThreads) {
  LearnerConfig config = quick_learning();
  config.shard_rows = 16;
  ReplayWindow window(config);
  for (std::uint64_t seed = 1; seed < 6; ++seed) window.add(random_game(seed));
  const auto learned = [&](int threads, bool mixed) {
    const auto learner = make_learner(small_network(), config, "cpu", threads, 1);
    learner->use_mixed_precision(mixed);
    learner->train(window, 7, 0);
    return std::pair(learner->averaged_weights(window), learner->state());
  };
  for (const nn::Precision precision : nn::precisions_on("cpu")) {
    if (precision == nn::Precision::kInt8) continue;
    const bool mixed = precision == nn::Precision::kBFloat16;
    const auto alone = learned(1, mixed);
    EXPECT_EQ(learned(2, mixed), alone);
    EXPECT_EQ(learned(3, mixed), alone);
    EXPECT_EQ(learned(8, mixed), alone);
  }
}

TEST(Learner, SeesWhatItsLastStepDid) {
  LearnerConfig config = quick_learning();
  ReplayWindow window(config);
  window.add(random_game(4));
  const auto tame = make_learner(small_network(), config, "cpu", 1, 1);
  EXPECT_FALSE(tame->train(window, 1, 0).diverged);
  config.learning_rate = 100;
  config.warmup_positions = 0;
  const auto wild = make_learner(small_network(), config, "cpu", 1, 1);
  const LearnerReport report = wild->train(window, 1, 0);
  EXPECT_TRUE(report.diverged);
  EXPECT_EQ(report.steps, 1) << "it was taken";
}

TEST(Learner, ReportsTheRateOfItsLastStep) {
  LearnerConfig config = quick_learning();  // ten steps of warm-up
  ReplayWindow window(config);
  window.add(random_game(4));
  const auto learner = make_learner(small_network(), config, "cpu", 1, 1);
  EXPECT_NEAR(learner->train(window, 1, 0).learning_rate, 5e-4, 1e-8);
  EXPECT_NEAR(learner->train(window, 2, 0).learning_rate, 1.5e-3, 1e-8);
  EXPECT_EQ(learner->train(window, 0, 0).learning_rate, 0);
}

TEST(Learner, AveragedWeightsForgetByPositions) {
  LearnerConfig config = quick_learning();
  config.average_positions = static_cast<float>(config.batch / std::log(20.0));  // 1/20 a step
  ReplayWindow window(config);
  window.add(random_game(4));
  const auto learner = make_learner(small_network(), config, "cpu", 1, 1);
  const nn::Weights start = learner->state();
  learner->train(window, 1, 0);
  const nn::Weights state = learner->state();
  int compared = 0;
  for (const auto& [name, before] : start) {
    if (!name.starts_with("average.") || before.shape.size() < 2) continue;
    const auto &live = state.at("live." + name.substr(8)).values, &average = state.at(name).values;
    for (std::size_t i = 0; i < live.size(); ++i) {
      ASSERT_NEAR(average[i], 0.05 * before.values[i] + 0.95 * live[i], 1e-6) << name;
      compared += std::abs(before.values[i] - live[i]) > 1e-4;
    }
  }
  EXPECT_GT(compared, 1000) << "weights that moved";
}

TEST(Learner, WithoutANumberItsRateFollowsBatchAndWidth) {
  LearnerConfig config = quick_learning();
  config.batch = 16;
  config.learning_rate = 0;
  config.warmup_positions = 0;
  ReplayWindow window(config);
  window.add(random_game(4));
  const auto learner = make_learner(small_network(), config, "cpu", 1, 1);
  EXPECT_NEAR(learner->train(window, 1, 0).learning_rate, 2.5e-3, 1e-8) << "32 channels";
}

TEST(Learner, RefusesAStateOfAnotherNetwork) {
  const auto learner = make_learner(small_network(), quick_learning(), "cpu", 1, 5);
  nn::NetworkConfig other = small_network();
  other.channels = 16;
  const auto stranger = make_learner(other, quick_learning(), "cpu", 1, 5);
  EXPECT_THROW(learner->restore(stranger->state()), nn::CheckpointError);
}

class GrownNetwork : public testing::Test {
 protected:
  void SetUp() override {
    for (std::uint64_t seed = 10; seed < 14; ++seed) window_.add(random_game(seed));
    const auto learner = make_learner(small_, quick_learning(), "cpu", 1, 1);
    learner->train(window_, 20, 0);
    learned_ = learner->averaged_weights(window_);
    deep_.blocks = 4;  // one of each kind is added
    grown_ = make_learner(deep_, quick_learning(), "cpu", 1, 2);
    grown_->initialize(learned_);
  }

  const nn::NetworkConfig small_ = small_network();
  nn::NetworkConfig deep_ = small_;
  ReplayWindow window_{quick_learning()};
  nn::Weights learned_;
  std::unique_ptr<Learner> grown_;
};

TEST_F(GrownNetwork, AnswersAsTheSmallOneDid) {
  const nn::Batch batch = nn::random_play({}, 100, 5);
  const nn::Weights start = grown_->averaged_weights(ReplayWindow(quick_learning()));
  ASSERT_GT(start.size(), learned_.size());
  for (const nn::Precision precision : nn::precisions_on("cpu")) {
    const auto answers = [&](const nn::NetworkConfig& config, const nn::Weights& weights) {
      nn::Outputs outputs;
      nn::Inference(config, weights, {"cpu", precision, 128}).run(batch, outputs);
      return outputs;
    };
    const nn::Outputs before = answers(small_, learned_), after = answers(deep_, start);
    const auto [least, most] = std::ranges::minmax(before.policy_logits);
    EXPECT_GT(most - least, 0.1) << "it has learned";
    EXPECT_EQ(after.policy_logits, before.policy_logits) << nn::name(precision);
    EXPECT_EQ(after.outcomes, before.outcomes) << nn::name(precision);
    EXPECT_EQ(after.moves_left, before.moves_left) << nn::name(precision);
  }
}

TEST_F(GrownNetwork, LearnsInEveryArrayOfTheAddedBlocks) {
  grown_->train(window_, 3, 0);
  int arrays = 0;
  for (const auto& [name, squares] : grown_->state()) {  // of the gradients, averaged
    if (!name.starts_with("second.block2.") && !name.starts_with("second.block3.")) continue;
    EXPECT_TRUE(std::ranges::any_of(squares.values, [](float x) { return x > 0; })) << name;
    ++arrays;
  }
  EXPECT_EQ(arrays, 6 + 6 + 4);
}

}  // namespace
}  // namespace training
