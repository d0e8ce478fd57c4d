#include "nn/precision.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/errors.h"
#include "base/processor.h"
#include "nn/checkpoint.h"
#include "nn/inference.h"
#include "nn/int8_calibration.h"
#include "nn/torch_threads.h"
#include "test_networks.h"

namespace nn {
namespace {

// The network that comes along.
NetworkFile trained() { return load_network(SHARPZERO_NETWORKS "/chess_sharp-5x64.safetensors"); }

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

// Rows [first, first + size) of a batch, as a batch of their own.
Batch part_of(const Batch& all, int first, int size) {
  const auto begin = static_cast<std::ptrdiff_t>(first), end = begin + size;
  Batch part;
  part.positions.assign(all.positions.begin() + begin, all.positions.begin() + end);
  const std::uint32_t from = all.policy_begin[static_cast<std::size_t>(begin)];
  const std::uint32_t to = all.policy_begin[static_cast<std::size_t>(end)];
  part.policy_indices.assign(all.policy_indices.begin() + from, all.policy_indices.begin() + to);
  part.policy_begin.clear();
  for (std::ptrdiff_t i = begin; i <= end; ++i) {
    part.policy_begin.push_back(all.policy_begin[static_cast<std::size_t>(i)] - from);
  }
  return part;
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

TEST_F(Int8, AnswersUnderOtherScoringTablesToo) {
  const NetworkFile network = trained();
  const auto positions = random_positions(150, 9);
  for (const char* changes : {"queen=12,pawn=2", "knight=2,rook=7,queen=14,impasse_equal=6.5",
                              "stalemate=1,impasse_unequal=1.5,impasse_equal=8"}) {
    const Batch batch = batch_of(positions, rules::ScoringTable::from_changes(changes));
    const Deviation found = deviation(batch, answers(network, Precision::kFloat32, batch),
                                      answers(network, Precision::kInt8, batch));
    EXPECT_LT(found.policy, kTolerated.policy) << changes;
    EXPECT_LT(found.outcomes, kTolerated.outcomes) << changes;
  }
}

// Blocks with and without a condition, and channels that no vector register divides.
TEST_F(Int8, AnswersNetworksOfEveryShape) {
  NetworkConfig attentive{2, 16, 2, 8, 4, 16};
  attentive.policy_attention = 7;
  for (const NetworkConfig& config :
       {NetworkConfig{2, 16, 2, 8, 4, 16}, NetworkConfig{3, 48, 1, 32, 16, 64},
        NetworkConfig{1, 9, 2, 5, 1, 8}, small(rules::kChess), attentive}) {
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

// One row's answers.
Outputs row(const Batch& batch, const Outputs& all, std::size_t i) {
  const auto logits = all.policy_logits.begin();
  return {{logits + batch.policy_begin[i], logits + batch.policy_begin[i + 1]},
          {all.outcomes[i]},
          {all.moves_left[i]}};
}

// 53 = 3 * 16 + 4 + 1: every part of a batch.
TEST_F(Int8, ARowDependsNeitherOnItsNeighboursNorOnTheBatchsSize) {
  const NetworkFile network = trained();
  const auto positions = random_positions(53, 6);
  const Batch batch = batch_of(positions);
  const Outputs all = answers(network, Precision::kInt8, batch);
  for (const std::size_t i : {0U, 20U, 50U, 52U}) {
    const Outputs alone = answers(network, Precision::kInt8, batch_of({positions[i]}));
    EXPECT_EQ(alone.outcomes, row(batch, all, i).outcomes) << i;
    EXPECT_EQ(alone.policy_logits, row(batch, all, i).policy_logits) << i;
    auto others = random_positions(53, 8);
    others[i] = positions[i];
    const Batch mixed = batch_of(others);
    const Outputs there = row(mixed, answers(network, Precision::kInt8, mixed), i);
    EXPECT_EQ(there.outcomes, row(batch, all, i).outcomes) << i;
    EXPECT_EQ(there.policy_logits, row(batch, all, i).policy_logits) << i;
  }
}

TEST_F(Int8, AnswersTheSameInEveryObjectAndThread) {
  const NetworkFile network = trained();
  const Batch batch = batch_of(random_positions(40, 7));
  const TorchThreads two(2);
  const PlayingNetwork shared(network.config, network.weights, {"cpu", Precision::kInt8, 64});
  Inference here(shared), there(shared);
  Outputs first, second, third;
  here.run(batch, first);
  std::thread([&] { here.run(batch, second); }).join();
  std::thread([&] { there.run(batch, third); }).join();
  EXPECT_EQ(first.outcomes, third.outcomes);
  EXPECT_EQ(first.policy_logits, third.policy_logits);
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

TEST(Precision, IsMeasuredOnOneThreadAndLeavesTheCallersAsTheyWere) {
  const TorchThreads two(2);
  {
    const TorchThreads one(1);
    EXPECT_EQ(at::get_num_threads(), 1);
  }
  EXPECT_EQ(at::get_num_threads(), 2);
  const NetworkFile network{small(), {}, 0, weights_of(*scrambled(small()))};
  fastest_precision(network, "cpu");
  EXPECT_EQ(at::get_num_threads(), 2);
  deviation_from_fp32(network, precisions_on("cpu").back());
  EXPECT_EQ(at::get_num_threads(), 2);
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

TEST(Precision, LargeLogitsDeviateAsSmallOnesDo) {
  Batch batch = batch_of(random_positions(1, 1));
  batch.policy_indices = {0, 1};
  batch.policy_begin = {0, 2};
  Outputs a;
  a.policy_logits = {300, 300};
  a.outcomes = {{1, 0, 0, 0, 0, 0, 0}};
  a.moves_left = {0};
  Outputs b = a;
  b.policy_logits = {-300 + std::log(3.0f), -300};
  EXPECT_NEAR(deviation(batch, a, b).policy, 0.25, 1e-4);
}

// By which int8 is calibrated and measured.
TEST(RandomPlay, IsHalfUnderTheOwnScoringTableAndHalfUnderMovedOnes) {
  constexpr std::size_t kQueen = 11;  // behind seven scores and four men, in ninths
  const Batch batch = random_play({}, 400, 1);
  ASSERT_EQ(batch.size(), 400);
  int own = 0;
  float least = 1, most = 1;
  for (const EncodedPosition& position : batch.positions) {
    const float queen = position.globals[kQueen];
    own += queen == 1 ? 1 : 0;
    least = std::min(least, queen);
    most = std::max(most, queen);
  }
  EXPECT_NEAR(own, 200, 50);
  EXPECT_LT(least, 0.75f);
  EXPECT_GT(most, 1.33f);
}

TEST(Precision, NamesReadBack) {
  for (const std::string device : {"cpu", "cuda"}) {
    for (const Precision precision : precisions_on(device)) {
      EXPECT_EQ(requested_precision("", name(precision), device), precision);
    }
  }
  EXPECT_EQ(requested_precision("", "auto", "cpu"), std::nullopt);
  EXPECT_THROW(requested_precision("", "fp31", "cpu"), base::InputError);
}

// Expects of a batch of 64 that its positions are answered as in smaller batches.
void expect_alike_in_every_batch(const NetworkFile& network, Precision precision,
                                 const Batch& all) {
  Inference inference(network.config, network.weights,
                      {"cpu", precision, 64, network.repertoire, /*batch_invariant=*/true});
  Outputs together;
  inference.run(all, together);
  for (const int size : {1, 2, 7, 15, 33}) {
    int differ = 0;
    for (int first = 0; first + size <= all.size(); first += size) {
      const Batch part = part_of(all, first, size);
      Outputs alone;
      inference.run(part, alone);
      const auto begin =
          static_cast<std::ptrdiff_t>(all.policy_begin[static_cast<std::size_t>(first)]);
      differ += !std::equal(alone.policy_logits.begin(), alone.policy_logits.end(),
                            together.policy_logits.begin() + begin);
      differ += !std::equal(alone.outcomes.begin(), alone.outcomes.end(),
                            together.outcomes.begin() + first);
      differ += !std::equal(alone.moves_left.begin(), alone.moves_left.end(),
                            together.moves_left.begin() + first);
    }
    EXPECT_EQ(differ, 0) << name(precision) << ", " << network.config.channels
                         << " channels, batches of " << size;
  }
}

// A position's answer, whatever it shares its batch with: a run's games must not depend on how they
// are divided among threads. Also with channels that no vector register divides.
void expect_alike_in_every_batch(Precision precision) {
  const TorchThreads one(1);  // as threads of play have
  NetworkConfig odd{1, 9, 1, 5, 1, 8};
  odd.policy_attention = 7;
  const Batch all = batch_of(random_positions(64, 11));
  expect_alike_in_every_batch(trained(), precision, all);
  expect_alike_in_every_batch({odd, {}, 0, weights_of(*scrambled(odd))}, precision, all);
}

TEST(Inference, AnswersAPositionAlikeInEveryBatch) {
  expect_alike_in_every_batch(Precision::kFloat32);
}

TEST(Inference, AnswersAPositionAlikeInEveryBatchInOtherPrecisionsToo) {
  for (const Precision precision : precisions_on("cpu")) {
    if (precision != Precision::kFloat32) expect_alike_in_every_batch(precision);
  }
}

// What this program prints, and its exit status, when it runs the tests as on a processor that has
// no more than the environment says.
std::pair<std::string, int> tests_with(const std::string& environment, const std::string& tests) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command =
      environment + " '" + program + "' --gtest_brief=1 --gtest_filter=" + tests + " 2>&1";
  FILE* const child = ::popen(command.c_str(), "r");
  std::string printed;
  for (int c = 0; child != nullptr && (c = std::fgetc(child)) != EOF;) {
    printed += static_cast<char>(c);
  }
  return {printed, child == nullptr ? -1 : ::pclose(child)};
}

// Each library has kernels for several processors, which round differently. OPENBLAS_CORETYPE and
// MKL_ENABLE_INSTRUCTIONS are for BLAS, of which a LibTorch has one or the other.
TEST(Inference, AnswersAPositionAlikeOnLesserProcessorsToo) {
  const std::string test = "Inference.AnswersAPositionAlikeInEveryBatch";
  std::vector<std::string> levels{
      "ONEDNN_MAX_CPU_ISA=SSE41 ATEN_CPU_CAPABILITY=default OPENBLAS_CORETYPE=Nehalem "
      "MKL_ENABLE_INSTRUCTIONS=SSE4_2"};
  if (base::processor().find("avx2") != std::string::npos) {
    levels.emplace_back(
        "ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 OPENBLAS_CORETYPE=Haswell "
        "MKL_ENABLE_INSTRUCTIONS=AVX2");
  }
  for (const std::string& level : levels) {
    const auto [printed, status] = tests_with(level, test);
    EXPECT_EQ(status, 0) << level << '\n' << printed;
    EXPECT_THAT(printed, testing::HasSubstr("[  PASSED  ] 1 test")) << level;
  }
}

// Emulated they take up to a hundred times as long as fp32.
TEST(Precision, ThoseWithoutInstructionsAreNotTried) {
  if (!has_int8()) GTEST_SKIP() << "no oneDNN that could be held to a lower level";
  const auto [printed, status] =
      tests_with("ONEDNN_MAX_CPU_ISA=AVX2",
                 "Precision.IsMeasuredOnOneThreadAndLeavesTheCallersAsTheyWere:Int8.*");
  EXPECT_EQ(status, 0) << printed;
  EXPECT_THAT(printed, testing::HasSubstr("[  PASSED  ] 1 test.")) << "int8 was tried";
}

}  // namespace
}  // namespace nn
