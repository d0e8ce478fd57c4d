#include "nn/simulated_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "base/stopwatch.h"
#include "nn/checkpoint.h"
#include "nn/device.h"
#include "nn/device_use.h"
#include "nn/forward_pass.h"
#include "nn/inference.h"
#include "random_positions.h"

namespace nn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

TEST(DeviceName, ASimulatedDeviceIsNamedWithItsTimes) {
  const SimulatedTimes all = parse_device_name("simulated:launch_us=300,row_ns=1500").times;
  EXPECT_DOUBLE_EQ(all.batch_us(1000), 1800);
  EXPECT_DOUBLE_EQ(all.learning_step_us(1000), 5400);
  const SimulatedTimes some = parse_device_name("simulated:step_us=7.5,launch_us=0").times;
  EXPECT_DOUBLE_EQ(some.batch_us(1000), 1500);
  EXPECT_DOUBLE_EQ(some.learning_step_us(1000), 7.5);
  EXPECT_DOUBLE_EQ(parse_device_name("simulated").times.batch_us(1000), 1800);
  EXPECT_EQ(parse_device_name("cuda:12").number, 12);
}

TEST(DeviceName, WhatIsWrongWithASimulatedOneIsSaidInOneLine) {
  const auto expect_refusal = [](const std::string& device, const std::string& expected) {
    EXPECT_THAT([&] { resolve_device(device); },
                ThrowsMessage<base::InputError>(
                    AllOf(HasSubstr("no device '"), HasSubstr(expected), Not(HasSubstr("\n")))))
        << device;
  };
  for (const char* list :
       {"", "launch_us", "rows=3", "launch_us=1,", ",", "launch_us=1;row_ns=2"}) {
    expect_refusal(std::string("simulated:") + list, "launch_us");
  }
  expect_refusal("simulated:row_ns=-1", "row_ns from 0 to");
  expect_refusal("simulated:row_ns=nan", "row_ns from 0 to");
  expect_refusal("simulated:step_us=2e9", "step_us from 0 to");
  expect_refusal("simulated:launch_us=1ms", "launch_us from 0 to");
  expect_refusal("simulate", "simulated[");
}

constexpr const char* kFast = "simulated:launch_us=100,row_ns=0";

Batch batch_of(const std::vector<rules::Position>& positions) {
  const Encoder encoder;
  Batch batch;
  for (const rules::Position& position : positions) {
    const rules::MoveList moves = position.legal_moves();
    batch.add(encoder, position, 1, {}, {}, {moves.data(), moves.size()});
  }
  return batch;
}
Batch batch_for_seed(std::size_t size, std::uint64_t seed) {
  return batch_of(random_positions(size, seed));
}

// A GPU may take its sums in another order each time.
void expect_same(const Outputs& a, const Outputs& b, float tolerance) {
  const auto near = testing::Pointwise(testing::FloatNear(tolerance), b.policy_logits);
  EXPECT_THAT(a.policy_logits, near);
  EXPECT_THAT(a.moves_left, testing::Pointwise(testing::FloatNear(tolerance), b.moves_left));
  ASSERT_EQ(a.outcomes.size(), b.outcomes.size());
  for (std::size_t i = 0; i < a.outcomes.size(); ++i) {
    EXPECT_THAT(a.outcomes[i], testing::Pointwise(testing::FloatNear(tolerance), b.outcomes[i]));
  }
}

std::unique_ptr<Inference> inference_on(const std::string& device, int max_batch = 64) {
  static const NetworkFile network =
      load_network(SHARPZERO_NETWORKS "/chess_sharp-5x64.safetensors");
  return std::make_unique<Inference>(network.config, network.weights,
                                     InferenceOptions{.device = device, .max_batch = max_batch});
}

// On every device that is there.
TEST(Inference, BatchesInFlightAreAnsweredInTheirOrderAsAlone) {
  std::vector<std::string> devices{"cpu", kFast};
  if (resolve_device("auto") == "cuda") devices.emplace_back("cuda");
  for (const std::string& device : devices) {
    SCOPED_TRACE(device);
    const float tolerance = device == "cuda" ? 1e-3f : 0;
    const auto inference = inference_on(device);
    EXPECT_EQ(inference->most_in_flight(), device == "cpu" ? 1 : 2);
    const Batch first = batch_for_seed(20, 1), second = batch_for_seed(21, 2);
    Outputs expected_first, expected_second, found;
    inference->run(first, expected_first);
    inference->run(second, expected_second);
    EXPECT_NE(expected_first.moves_left, expected_second.moves_left);
    for (int round = 0; round < 3; ++round) {
      inference->start(first);
      if (inference->most_in_flight() > 1) inference->start(second);
      inference->finish(found);
      expect_same(found, expected_first, tolerance);
      if (inference->most_in_flight() == 1) inference->start(second);
      inference->finish(found);
      expect_same(found, expected_second, tolerance);
    }
    EXPECT_THROW(inference->start(batch_for_seed(65, 3)), std::invalid_argument);
    inference->run(first, found);
    expect_same(found, expected_first, tolerance);
  }
}

TEST(SimulatedDevice, AnswersEachPositionTheSameInAnyBatch) {
  const auto inference = inference_on(kFast);
  const std::vector<rules::Position> positions = random_positions(12, 5);
  Outputs together, alone;
  inference->run(batch_of(positions), together);
  std::set<float> answers;
  std::size_t logit = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    inference_on("simulated:launch_us=5,row_ns=5")->run(batch_of({positions[i]}), alone);
    EXPECT_EQ(alone.outcomes[0], together.outcomes[i]);
    EXPECT_EQ(alone.moves_left[0], together.moves_left[i]);
    for (const float own : alone.policy_logits) {
      EXPECT_EQ(own, together.policy_logits[logit++]);
      answers.insert(own);
    }
  }
  EXPECT_EQ(logit, together.policy_logits.size());
  EXPECT_GT(answers.size(), together.policy_logits.size() / 2) << "moves are told apart";
}

TEST(SimulatedDevice, HasOneQueueForAllThreadsAndUsesNoCore) {
  constexpr int kThreads = 3, kBatches = 10;
  constexpr double kBatch_s = 0.010;  // of 8 rows
  const std::string device = "simulated:launch_us=2000,row_ns=1e6";
  const Batch batch = batch_for_seed(8, 4);
  std::vector<std::unique_ptr<Inference>> inferences;
  for (int i = 0; i < kThreads; ++i) inferences.push_back(inference_on(device));
  const DeviceUse before = device_use();
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Outputs outputs;
      for (int k = 0; k < kBatches; ++k)
        inferences[static_cast<std::size_t>(i)]->run(batch, outputs);
    });
  }
  threads.clear();
  const double took = base::seconds_since(begin);
  const DeviceUse use = device_use() - before;
  EXPECT_GE(took, kThreads * kBatches * kBatch_s);
  EXPECT_LT(static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC, 0.3 * took);
  EXPECT_NEAR(use.busy_s, kThreads * kBatches * kBatch_s, 1e-6);
  EXPECT_EQ(use.batches, kThreads * kBatches);
  EXPECT_EQ(use.rows, 8 * kThreads * kBatches);
  EXPECT_GT(use.waited_s, 0.5 * kThreads * use.busy_s);
}

TEST(SimulatedDevice, WorksWhileTheThreadGoesOn) {
  const auto inference = inference_on("simulated:launch_us=300000");
  const Batch batch = batch_for_seed(8, 4);
  Outputs outputs;
  const auto begin = std::chrono::steady_clock::now();
  inference->start(batch);
  inference->start(batch);
  EXPECT_LT(base::seconds_since(begin), 0.3);
  inference->finish(outputs);
  inference->finish(outputs);
  EXPECT_GE(base::seconds_since(begin), 0.6) << "one batch after the other";
}

TEST(SimulatedDevice, ALearningStepWaitsItsTurn) {
  SimulatedDevice device({.launch_us = 1000, .row_ns = 0, .step_us = 50000});
  const auto begin = std::chrono::steady_clock::now();
  device.start_batch(5);
  EXPECT_GE(device.start_step(5) - begin, std::chrono::milliseconds(51));
  EXPECT_GE(device.start_batch(5) - begin, std::chrono::milliseconds(52));
}

TEST(Inference, ADeviceSeesFewSizesOfBatches) {
  for (const int most : {1, 7, 8, 20, 64, 100, 256, 1000}) {
    std::set<int> sizes;
    for (int rows = 1; rows <= most; ++rows) {
      const int padded = padded_rows(rows, most);
      EXPECT_GE(padded, rows);
      EXPECT_LE(padded, most);
      EXPECT_LE(padded - rows, most / 8 + 8);
      sizes.insert(padded);
    }
    EXPECT_LE(sizes.size(), 8u) << most;
    for (const int size : sizes) EXPECT_TRUE(size % 8 == 0 || size == most) << size;
  }
}

}  // namespace
}  // namespace nn
