#include "nn/simulated_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
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
  EXPECT_DOUBLE_EQ(parse_device_name("simulated:step_launches=9").times.step_launches, 9);
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
  expect_refusal("simulated:fail_every=-1", "fail_every from 0 to");
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
    for (int round = 0; round < 8; ++round) {  // a GPU records what comes again
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

double cpu_seconds_of_this_thread() {
  std::timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
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
  std::atomic<double> cores_s = 0;  // of these threads alone
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Outputs outputs;
      for (int k = 0; k < kBatches; ++k)
        inferences[static_cast<std::size_t>(i)]->run(batch, outputs);
      cores_s += cpu_seconds_of_this_thread();
    });
  }
  threads.clear();
  const double took = base::seconds_since(begin);
  const DeviceUse use = device_use() - before;
  EXPECT_GE(took, kThreads * kBatches * kBatch_s);
  EXPECT_LT(cores_s, 0.3 * took);
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
  SimulatedDevice device({.launch_us = 20000, .row_ns = 0, .step_us = 50000});
  const auto begin = std::chrono::steady_clock::now();
  device.start_batch(5);
  device.take_step(5);
  EXPECT_GE(base::seconds_since(begin), 0.070);
  device.wait_for(device.start_batch(5));
  EXPECT_GE(base::seconds_since(begin), 0.090);
}

// Seconds that a step of 10 ms takes beside eight batches of 10 ms, which are started anew when
// they are done, and those of the batches that are done by then.
std::pair<double, double> step_beside_batches(double step_launches, double priority) {
  SimulatedTimes times;
  times.launch_us = times.step_us.emplace(10000);
  times.row_ns = 0;
  times.step_launches = step_launches;
  times.priority = priority;
  SimulatedDevice device(times);
  std::atomic<bool> ended = false;
  std::atomic<int> batches = 0;
  std::vector<std::jthread> games;
  for (int i = 0; i < 8; ++i) {
    games.emplace_back([&] {
      for (; !ended; ++batches) device.wait_for(device.start_batch(5));
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const int before = batches;
  const auto begin = std::chrono::steady_clock::now();
  device.take_step(5);
  const double took = base::seconds_since(begin);
  const int meanwhile = batches - before;
  ended = true;
  return {took, 0.010 * meanwhile};
}

TEST(SimulatedDevice, EachLaunchOfAStepWaitsBehindTheBatchesUnlessItComesFirst) {
  const auto [once, batches_once] = step_beside_batches(1, 0);
  EXPECT_GT(once, 0.075);
  const auto [parts, batches_between] = step_beside_batches(4, 0);
  EXPECT_GT(parts, 3 * 0.075 + 0.010);
  EXPECT_GT(batches_between, 0.18) << "the device is theirs meanwhile";
  const auto [first, batches_before] = step_beside_batches(4, 1);
  EXPECT_LT(first, 0.6 * parts);
  EXPECT_LE(batches_before, 0.061) << "one before each launch";
}

TEST(SimulatedDevice, ABatchThatFailsIsTriedOnceMore) {
  const Batch batch = batch_for_seed(20, 1);
  Outputs expected, found;
  inference_on(kFast)->run(batch, expected);
  const auto inference = inference_on("simulated:launch_us=0,row_ns=0,fail_every=3");
  for (int i = 0; i < 7; ++i) {
    inference->run(batch, found);
    expect_same(found, expected, 0);
  }
  const auto failing = inference_on("simulated:launch_us=0,row_ns=0,fail_every=1");
  EXPECT_THAT([&] { failing->run(batch, found); },
              ThrowsMessage<base::EnvironmentError>(HasSubstr("failed twice")));
}

TEST(SimulatedDevice, ABatchThatItHasNoMemoryForIsSentInParts) {
  constexpr int kRows = 60;
  Outputs expected, found, second;
  const Batch batch = batch_for_seed(kRows, 1), other = batch_for_seed(50, 2);
  inference_on(kFast)->run(batch, expected);
  const auto inference = inference_on("simulated:launch_us=0,row_ns=0,memory_rows=16");
  const DeviceUse before = device_use();
  inference->start(batch);
  inference->start(other);
  inference->finish(found);
  inference->finish(second);
  expect_same(found, expected, 0);
  inference_on(kFast)->run(other, expected);
  expect_same(second, expected, 0);
  EXPECT_EQ((device_use() - before).batches, 3) << "counted as the caller sees them";
  // The smallest size of batches of 64 is 8.
  const auto small = inference_on("simulated:launch_us=0,row_ns=0,memory_rows=4");
  EXPECT_THAT([&] { small->run(batch, found); },
              ThrowsMessage<base::EnvironmentError>(HasSubstr("no memory")));
}

TEST(SimulatedDevice, OneThatHangsIsGivenUpAfterItsTime) {
  const auto inference = inference_on("simulated:launch_us=0,row_ns=0,hang_after=2,timeout_s=0.2");
  const Batch batch = batch_for_seed(20, 1);
  Outputs found;
  inference->run(batch, found);
  inference->run(batch, found);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT([&] { inference->run(batch, found); },
              ThrowsMessage<DeviceHungError>(HasSubstr("no answer")));
  EXPECT_GE(base::seconds_since(begin), 0.2);
}

TEST(Inference, ADeviceSeesFewSizesOfBatches) {
  for (const int most : {1, 7, 8, 20, 64, 100, 256, 1000}) {
    std::set<int> sizes;
    for (int rows = 1; rows <= most; ++rows) {
      const int padded = padded_rows(rows, most);
      EXPECT_GE(padded, rows);
      EXPECT_LE(padded, most);
      EXPECT_LE(padded - rows, std::max(7, rows / 4)) << rows;
      sizes.insert(padded);
    }
    EXPECT_LE(sizes.size(), 24u) << most;
    for (const int size : sizes) EXPECT_TRUE(size % 8 == 0 || size == most) << size;
  }
}

}  // namespace
}  // namespace nn
