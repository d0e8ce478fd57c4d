#include "nn/precision.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <thread>

#include "nn/calibration.h"
#include "nn/checkpoint.h"
#include "nn/inference.h"
#include "test_networks.h"

namespace nn {
namespace {

using testing::FloatNear;
using testing::Pointwise;

// The network that comes along: a trained one.
NetworkFile trained() {
  for (const auto& entry : std::filesystem::directory_iterator(SHARPZERO_NETWORKS)) {
    if (entry.path().extension() == ".safetensors") return load_network(entry.path());
  }
  throw CheckpointError("no network in " SHARPZERO_NETWORKS);
}

Outputs answers(const NetworkFile& network, Precision precision, const Batch& batch) {
  Inference inference(network.config, network.weights, {"cpu", precision, 512, network.repertoire});
  Outputs outputs;
  inference.run(batch, outputs);
  return outputs;
}

bool has_int8() {
  const auto known = precisions_on("cpu");
  return std::find(known.begin(), known.end(), Precision::kInt8) != known.end();
}

class Int8 : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_int8()) GTEST_SKIP() << "no VNNI, or built without oneDNN";
  }
};

TEST_F(Int8, AnswersATrainedNetworkNearlyAsFp32Does) {
  const NetworkFile network = trained();
  const Batch batch = batch_of(random_positions(300, 9));
  const Outputs exact = answers(network, Precision::kFloat32, batch);
  const Outputs bytes = answers(network, Precision::kInt8, batch);
  const Deviation found = deviation(batch, exact, bytes);
  EXPECT_LT(found.policy, 0.012);
  EXPECT_LT(found.outcomes, 0.012);
  EXPECT_GT(found.policy, 1e-4) << "was that int8?";
  double moves_left = 0;
  for (std::size_t i = 0; i < exact.moves_left.size(); ++i) {
    moves_left += std::abs(exact.moves_left[i] - bytes.moves_left[i]);
  }
  EXPECT_LT(moves_left / batch.size(), 1.0);
}

// Blocks with and without a condition, and channels that no vector register divides.
TEST_F(Int8, AnswersNetworksOfEveryShape) {
  for (const NetworkConfig& config :
       {NetworkConfig{2, 16, 2, 8, 4, 16}, NetworkConfig{3, 48, 1, 32, 16, 64},
        NetworkConfig{1, 9, 2, 5, 1, 8}, small(rules::kChess)}) {
    const Network network = scrambled(config);
    const rules::Repertoire games = config.shape == kWideShape ? rules::kChess : rules::RuleSet{};
    const NetworkFile file{config, games, 0, weights_of(*network)};
    const Batch batch = random_play(games, 40, 5);
    const Deviation found = deviation(batch, answers(file, Precision::kFloat32, batch),
                                      answers(file, Precision::kInt8, batch));
    EXPECT_LT(found.policy, 0.05) << config.channels;
    EXPECT_LT(found.outcomes, 0.05) << config.channels;
  }
}

// 53 = 3 * 16 + 4 + 1: every part of a batch.
TEST_F(Int8, ARowDependsNeitherOnItsNeighboursNorOnTheBatch) {
  const NetworkFile network = trained();
  const auto positions = random_positions(53, 6);
  const Outputs all = answers(network, Precision::kInt8, batch_of(positions));
  for (const std::size_t i : {0, 20, 50, 52}) {
    const Batch one = batch_of({positions[i]});
    const Outputs alone = answers(network, Precision::kInt8, one);
    EXPECT_THAT(alone.outcomes[0], Pointwise(FloatNear(1e-5f), all.outcomes[i])) << i;
    std::size_t first = 0;
    for (std::size_t k = 0; k < i; ++k) first += positions[k].legal_moves().size();
    for (std::size_t k = 0; k < alone.policy_logits.size(); ++k) {
      EXPECT_NEAR(alone.policy_logits[k], all.policy_logits[first + k], 1e-4) << i;
    }
  }
}

TEST_F(Int8, AnswersTheSameInEveryObjectAndThread) {
  const NetworkFile network = trained();
  const Batch batch = batch_of(random_positions(40, 7));
  at::set_num_threads(2);
  Inference here(network.config, network.weights, {"cpu", Precision::kInt8, 64});
  Outputs first, second;
  here.run(batch, first);
  std::thread([&] { here.run(batch, second); }).join();
  EXPECT_EQ(first.outcomes, second.outcomes);
  EXPECT_EQ(first.policy_logits, second.policy_logits);
  const Outputs other = answers(network, Precision::kInt8, batch);
  EXPECT_EQ(first.outcomes, other.outcomes);
  EXPECT_EQ(first.policy_logits, other.policy_logits);
  EXPECT_EQ(at::get_num_threads(), 2) << "it has changed the caller's threads";
}

TEST_F(Int8, IsNotTakenWhereNoDeviationIsTolerated) {
  EXPECT_NE(fastest_precision(trained(), "cpu", Deviation{0, 0}), Precision::kInt8);
}

TEST_F(Int8, TheNetworkThatComesAlongIsAccurateEnough) {
  EXPECT_TRUE(within(deviation_from_fp32(trained(), Precision::kInt8), kTolerated));
}

TEST(Precision, DeviationsAreMeansOfTotalVariation) {
  Batch batch = batch_of(random_positions(2, 1));
  batch.policy_indices = {0, 1, 2, 3};
  batch.policy_begin = {0, 2, 4};
  Outputs a;
  a.policy_logits = {0, 0, 0, 0};
  a.outcomes = {{1, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0}};
  a.moves_left = {0, 0};
  Outputs b = a;
  b.policy_logits[0] = std::log(3.0f);  // three quarters instead of a half
  b.outcomes[1] = {0, 0, 0, 0, 0, 0.5f, 0.5f};
  EXPECT_NEAR(deviation(batch, a, b).policy, 0.25 / 2, 1e-6);
  EXPECT_NEAR(deviation(batch, a, b).outcomes, 1.0 / 2, 1e-6);
  EXPECT_TRUE(within({0.1, 0.2}, {0.1, 0.2}));
  EXPECT_FALSE(within({0.11, 0.2}, {0.1, 0.2}));
  EXPECT_FALSE(within({0.1, 0.21}, {0.1, 0.2}));
}

TEST(Precision, NamesReadBack) {
  for (const std::string device : {"cpu", "cuda"}) {
    for (const Precision precision : precisions_on(device)) {
      EXPECT_EQ(precision_of(name(precision)), precision);
    }
  }
  EXPECT_EQ(precision_of(""), std::nullopt);
  EXPECT_EQ(precision_of("fp31"), std::nullopt);
}

}  // namespace
}  // namespace nn
