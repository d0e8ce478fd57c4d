#include "training/learner/rows_ahead.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "nn/stream.h"
#include "tests/training/random_game.h"
#include "training/learner/losses.h"

namespace training {
namespace {

constexpr int kRowsAhead = 5;
constexpr int kSteps = 40;

base::Rng rng_of(std::int64_t step) { return base::Rng(7).split(static_cast<std::uint64_t>(step)); }

class RowsAheadOfTime : public testing::Test {
 protected:
  void SetUp() override {
    for (const int seed : {1, 2, 3}) window_.add(random_game(static_cast<std::uint64_t>(seed)));
  }
  TrainingBatch drawn(std::int64_t step) const {
    base::Rng rng = rng_of(step);
    TrainingBatch batch;
    window_.sample(kRowsAhead, rng, batch);
    return batch;
  }
  ReplayWindow window_{LearnerConfig{}};
};

TEST_F(RowsAheadOfTime, AStepGetsTheRowsOfItsNumberWhoeverDrawsThem) {
  for (const int threads : {1, 2, 5}) {
    RowsAhead ahead(window_, kRowsAhead, kSteps, rng_of, threads);
    for (std::int64_t step = 0; step < kSteps; ++step) {
      const TrainingBatch& found = ahead.next();
      // What the threads draw meanwhile must not touch it.
      if (step % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const TrainingBatch expected = drawn(step);
      ASSERT_EQ(found.rows, kRowsAhead);
      EXPECT_EQ(found.outcomes, expected.outcomes) << step;
      EXPECT_EQ(found.moves_left, expected.moves_left) << step;
      EXPECT_EQ(found.policy.indices, expected.policy.indices) << step;
      EXPECT_EQ(found.policy.targets, expected.policy.targets) << step;
    }
  }
}

TEST_F(RowsAheadOfTime, ItMayEndBeforeAllAreTaken) {
  RowsAhead ahead(window_, kRowsAhead, 1000000, rng_of, 3);
  EXPECT_EQ(ahead.next().moves_left, drawn(0).moves_left);
}

TEST_F(RowsAheadOfTime, WhatDrawingThrowsIsThrownAtItsStep) {
  RowsAhead ahead(
      window_, kRowsAhead, kSteps,
      [](std::int64_t step) {
        if (step == 2) throw std::runtime_error("no rows");
        return rng_of(step);
      },
      2);
  ahead.next();
  ahead.next();
  EXPECT_THROW(ahead.next(), std::runtime_error);
}

TEST_F(RowsAheadOfTime, PlanesAreTheSameWhenADeviceExpandsThem) {
  const TrainingBatch batch = drawn(3);
  const torch::Tensor planes = to_tensors(batch, torch::kCPU).planes;
  EXPECT_GT(planes.sum().item<double>(), 0);
  EXPECT_TRUE(torch::equal(nn::expanded(host_tensors(batch).planes, torch::kFloat), planes));
}

}  // namespace
}  // namespace training
