#include "nn/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "base/hash.h"
#include "nn/checkpoint.h"
#include "nn/device.h"
#include "nn/inference.h"
#include "nn/int8_calibration.h"
#include "test_networks.h"
#include "tests/temporary_folder.h"

namespace nn {
namespace {

NetworkOutputs reference(Network& network, const Batch& batch) {
  const Shape& shape = network->config.shape;
  auto planes = torch::zeros({batch.size(), shape.planes, 8, 8});
  auto globals = torch::zeros({batch.size(), shape.globals});
  for (int i = 0; i < batch.size(); ++i) {
    const EncodedPosition& position = batch.positions[static_cast<std::size_t>(i)];
    for (int plane = 0; plane < shape.planes; ++plane) {
      for (std::uint64_t set = position.planes[static_cast<std::size_t>(plane)]; set;) {
        const rules::Square s = rules::pop_first(set);
        planes[i][plane][rules::rank_of(s)][rules::file_of(s)] = 1.0f;
      }
    }
    for (int g = 0; g < shape.globals; ++g)
      globals[i][g] = position.globals[static_cast<std::size_t>(g)];
  }
  return network->forward(planes, globals);
}

void expect_agreement(const std::string& device, Precision precision, double tolerance,
                      const rules::Repertoire& repertoire, int policy_attention) {
  SCOPED_TRACE(device + " " + name(precision));
  NetworkConfig config = small(repertoire);
  config.policy_attention = policy_attention;
  Network network = scrambled(config);
  const Batch batch = random_play(repertoire, 40, 5);
  Inference inference(network->config, weights_of(*network), {device, precision, 64, repertoire});
  Outputs outputs;
  const int rounds = device == "cpu" ? 1 : 10;  // a GPU's work is recorded when it comes again
  for (int round = 0; round < rounds; ++round) {
    inference.run(random_play(repertoire, 40, 7), outputs);
    inference.run(random_play(repertoire, 1, 6), outputs);  // what it leaves in the buffers
    inference.run(batch, outputs);
  }
  const torch::NoGradGuard no_grad;
  const NetworkOutputs expected = reference(network, batch);
  const auto outcomes = torch::softmax(expected.outcomes, 1);
  const torch::Tensor policy = expected.policy.all();
  for (int i = 0; i < batch.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (std::size_t o = 0; o < 7; ++o) {
      ASSERT_NEAR(outputs.outcomes[row][o], outcomes[i][static_cast<int>(o)].item<float>(),
                  tolerance);
    }
    ASSERT_NEAR(outputs.moves_left[row], expected.moves_left[i].item<float>() * kMovesLeftScale,
                50 * tolerance);
    for (auto k = batch.policy_begin[row]; k < batch.policy_begin[row + 1]; ++k) {
      ASSERT_NEAR(outputs.policy_logits[k], policy[i][batch.policy_indices[k]].item<float>(),
                  20 * tolerance);
    }
  }
}

bool has_gpu() { return resolve_device("auto") == "cuda"; }

bool has_on_cpu(Precision precision) {
  const auto known = precisions_on("cpu");
  return std::find(known.begin(), known.end(), precision) != known.end();
}

// On the processor where it has the precision, and on the GPU where there is one, which may
// multiply fp32 with fewer digits.
void expect_agreement(Precision precision, double tolerance,
                      const rules::Repertoire& repertoire = {}, int policy_attention = 0) {
  if (has_on_cpu(precision)) {
    expect_agreement("cpu", precision, tolerance, repertoire, policy_attention);
  }
  if (!has_gpu()) return;
  expect_agreement("cuda", precision, std::max(tolerance, 0.01), repertoire, policy_attention);
}

TEST(Inference, HalfPrecisionAgreesOnAGpu) {
  if (!has_gpu()) GTEST_SKIP() << "there is no GPU";
  const auto games = rules::Repertoire::parse("chess,chess_plus,pre_chess,chess_sharp+sprint");
  expect_agreement("cuda", Precision::kFloat16, 0.03, {}, 6);
  expect_agreement("cuda", Precision::kFloat16, 0.03, games, 6);
}

// A search that is told of nan would walk out of its arrays.
TEST(Inference, RefusesAnswersThatAreNoNumbers) {
  const Weights good = weights_of(*scrambled(small()));
  const Batch batch = batch_of(random_positions(5, 5));
  for (const char* name : {"stem.conv.weight", "policy_out.weight", "value_first.weight"}) {
    ASSERT_TRUE(good.contains(name)) << name;
    Weights weights = good;
    for (float& w : weights.at(name).values) w = std::numeric_limits<float>::quiet_NaN();
    Inference inference(small(), weights, {"cpu", Precision::kFloat32, 64});
    Outputs outputs;
    EXPECT_THROW(inference.run(batch, outputs), CheckpointError) << name;
  }
}

TEST(Inference, FoldedNetworkAgreesWithTheTrainedOne) {
  expect_agreement(Precision::kFloat32, 1e-4);
}

TEST(Inference, OfOtherGamesAgreesToo) {
  const auto games = rules::Repertoire::parse("chess,chess_plus,pre_chess,chess_sharp+sprint");
  expect_agreement(Precision::kFloat32, 1e-4, games);
  expect_agreement(Precision::kBFloat16, 0.03, games);
}

TEST(Inference, WithAttentionInThePolicyAgreesToo) {
  const auto games = rules::Repertoire::parse("chess,chess_plus,pre_chess,chess_sharp+sprint");
  expect_agreement(Precision::kFloat32, 1e-4, {}, 6);
  expect_agreement(Precision::kFloat32, 1e-4, games, 6);
  expect_agreement(Precision::kBFloat16, 0.03, games, 6);
}

TEST(Network, AttentionComparesTheSquaresThatAMoveLeavesAndArrivesAt) {
  NetworkConfig config = small();
  config.policy_attention = 6;
  Network with = scrambled(config);
  const Batch batch = batch_of(random_positions(20, 5));
  const torch::NoGradGuard no_grad;
  const NetworkOutputs out = reference(with, batch);
  const auto pairs = square_pairs(config.shape);
  const torch::Tensor all = out.policy.all();
  for (int i = 0; i < batch.size(); ++i) {
    for (const std::int64_t index : {0, 69 * 27 + 3, 69 * 36 + 58, 69 * 63 + 66}) {
      const int pair = pairs[static_cast<std::size_t>(index)];
      const float expected =
          out.policy.by_move[i][index].item<float>() + out.policy.by_pair[i][pair].item<float>();
      const auto one = torch::full({batch.size(), 1}, index);
      EXPECT_NEAR(out.policy.at(one)[i][0].item<float>(), expected, 1e-5);
      EXPECT_NEAR(all[i][index].item<float>(), expected, 1e-5);
    }
  }
  // The move's two squares make the difference: those of one pair have one product.
  EXPECT_GT(out.policy.by_pair.std().item<float>(), 1e-3);
}

TEST(Inference, BFloat16StaysWithinItsTolerance) {
  if (!has_on_cpu(Precision::kBFloat16) && !has_gpu()) GTEST_SKIP() << "nothing here has bf16";
  expect_agreement(Precision::kBFloat16, 0.03);
}

TEST(Inference, ARowDoesNotDependOnItsNeighbours) {
  Network network = scrambled(small());
  const auto positions = random_positions(33, 6);
  Inference inference(small(), weights_of(*network), {"cpu", Precision::kFloat32, 64});
  Outputs all, alone;
  inference.run(batch_of(positions), all);
  inference.run(batch_of({positions[20]}), alone);
  EXPECT_THAT(alone.outcomes[0], testing::Pointwise(testing::FloatNear(1e-5f), all.outcomes[20]));
}

TEST(Inference, RefusesWeightsThatDoNotFit) {
  const Weights good = weights_of(*scrambled(small()));
  const auto refused = [](const Weights& weights) {
    EXPECT_THROW(Inference(small(), weights, {}), CheckpointError);
  };
  for (const auto& [name, array] : good) {
    SCOPED_TRACE(name);
    Weights weights = good;
    weights.erase(name);
    refused(weights);
    weights = good;
    weights[name].shape.push_back(1);
    refused(weights);
  }
  Weights weights = good;
  weights["unknown"] = {{1}, {0.0f}};
  refused(weights);
}

TEST(Inference, LeavesTheGlobalRandomNumbersAlone) {
  const Weights weights = weights_of(*scrambled(small()));
  torch::manual_seed(1);
  const Inference inference(small(), weights, {});
  const torch::Tensor found = torch::rand({4});
  torch::manual_seed(1);
  EXPECT_TRUE(torch::equal(found, torch::rand({4})));
}

TEST(Inference, RefusesALargerBatchThanItWasMadeFor) {
  Inference inference(small(), weights_of(*scrambled(small())), {.max_batch = 4});
  Outputs outputs;
  EXPECT_NO_THROW(inference.run(batch_of(random_positions(4, 6)), outputs));
  EXPECT_THROW(inference.run(batch_of(random_positions(5, 6)), outputs), std::invalid_argument);
}

// In training and in play alike, and after a step of learning too.
TEST(Network, WithoutSightItSeesNothingThatTheRulesGive) {
  NetworkConfig config = small();
  config.sight = false;
  Network network(config);
  torch::optim::SGD optimizer(network->parameters(), 0.01);
  const Batch batch = random_play({}, 6, 1);
  Batch blind = batch;
  for (EncodedPosition& position : blind.positions) {
    for (int plane = kFirstSightPlane; plane < kEndOfSightPlanes; ++plane) {
      position.planes[static_cast<std::size_t>(plane)] = 0x5555;
    }
    for (int i = 0; i < kSightGlobals; ++i) {
      position.globals[static_cast<std::size_t>(kChessSharpShape.globals - 1 - i)] = 3;
    }
  }
  for (int step = 0; step < 3; ++step) {
    network->train();
    const NetworkOutputs out = reference(network, batch);
    (out.policy.all().select(1, 0).mean() + out.outcomes.select(1, 0).mean()).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  network->eval();
  Outputs seen, unseen;
  const Weights weights = weights_of(*network);
  Inference(config, weights, {}).run(batch, seen);
  Inference(config, weights, {}).run(blind, unseen);
  EXPECT_EQ(seen.policy_logits, unseen.policy_logits);
  EXPECT_EQ(seen.outcomes, unseen.outcomes);
  EXPECT_NE(seen.outcomes[0], seen.outcomes[1]);
  config.sight = true;
  Inference(config, weights_of(*scrambled(config)), {}).run(batch, seen);
  Inference(config, weights_of(*scrambled(config)), {}).run(blind, unseen);
  EXPECT_NE(seen.outcomes, unseen.outcomes);
}

TEST(Inference, RefusesANetworkMadeForOtherGames) {
  EXPECT_THROW(Inference(small(), weights_of(*scrambled(small())), {.repertoire = rules::kChess}),
               std::invalid_argument);
}

TEST(Network, AnUntrainedNetworkIsIndifferent) {
  NetworkConfig config = small();
  config.policy_attention = 5;
  Network network(config);
  Inference inference(config, weights_of(*network), {"cpu", Precision::kFloat32, 8});
  Outputs outputs;
  inference.run(batch_of(random_positions(8, 3)), outputs);
  for (const float logit : outputs.policy_logits) EXPECT_EQ(logit, 0.0f);
  for (const auto& outcomes : outputs.outcomes) {
    for (const float p : outcomes) EXPECT_FLOAT_EQ(p, 1.0f / 7);
  }
}

// So that they move to a device with the network.
TEST(Network, MasksAndIndicesAreBuffersThatNoFileHolds) {
  NetworkConfig config = small();
  config.sight = false;
  config.policy_attention = 5;
  const Network network(config);
  const auto buffers = network->named_buffers();
  for (const char* name : {"pair_of", "seen_planes", "seen_globals"}) {
    EXPECT_TRUE(buffers.contains(name)) << name;
    EXPECT_FALSE(weights_of(*network).contains(name)) << name;
  }
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    network_ = {small(), {}, 12, weights_of(*scrambled(small()))};
    save_network(network_, file_);
  }
  std::string bytes() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(file_, std::ios::binary) << bytes; }
  TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path(), file_ = folder_ / kNetworkFile;
  NetworkFile network_;
};

// A run keeps its newest checkpoints and a few old ones.
TEST(Checkpoints, AreSpreadByGeneration) {
  const TemporaryFolder run;
  for (const char* name : {"000000", "000010", "000020", "000030", "000038", "000039", "000040"}) {
    std::filesystem::create_directories(run / "checkpoints/" + name);
  }
  std::vector<std::string> names;
  for (const auto& path : list_checkpoints(run.path(), 3)) names.push_back(path.filename());
  EXPECT_EQ(names, (std::vector<std::string>{"000000", "000020", "000040"}));
}

TEST_F(Files, RoundTrip) {
  const NetworkFile read = load_network(folder_);
  EXPECT_EQ(read.config, network_.config);
  EXPECT_EQ(read.generation, 12);
  EXPECT_EQ(read.weights, network_.weights);
}

TEST_F(Files, EveryKeyOfItsConfigIsRead) {
  NetworkConfig config = small();
  config.policy_attention = 5;
  config.sight = false;
  save_network({config, {}, 3, weights_of(*scrambled(config))}, file_);
  EXPECT_EQ(load_network(folder_).config, config);
  WeightsFile file = load_weights(file_);
  file.metadata.erase("sight");
  save_weights(file, file_);
  EXPECT_THROW(load_network(folder_), CheckpointError);
}

TEST_F(Files, TheGamesItPlaysDecideTheShape) {
  const auto games = rules::Repertoire::parse("chess,chess960");
  save_network({small(games), games, 3, weights_of(*scrambled(small(games)))}, file_);
  const NetworkFile read = load_network(folder_);
  EXPECT_EQ(read.repertoire, games);
  EXPECT_EQ(read.config.shape, kWideShape);
}

TEST_F(Files, OtherFormatsAreRefused) {
  WeightsFile file = load_weights(file_);
  for (const int format : {kNetworkFormat - 1, kNetworkFormat + 1}) {
    file.metadata["format_version"] = std::to_string(format);
    save_weights(file, file_);
    EXPECT_THROW(load_network(folder_), CheckpointError) << format;
  }
}

TEST_F(Files, UnknownGamesAreRefused) {
  WeightsFile file = load_weights(file_);
  for (const char* name : {"", "checkers", "chess,chess"}) {
    file.metadata["rules"] = name;
    save_weights(file, file_);
    EXPECT_THROW(load_network(folder_), CheckpointError) << name;
  }
}

TEST_F(Files, NumbersAreReadToTheirEnd) {
  const WeightsFile good = load_weights(file_);
  for (const char* key : {"format_version", "generation", "channels"}) {
    for (const char* rest : {"x", " ", ".5"}) {
      WeightsFile file = good;
      file.metadata[key] += rest;
      save_weights(file, file_);
      EXPECT_THROW(load_network(folder_), CheckpointError) << file.metadata[key];
    }
  }
}

TEST_F(Files, EveryCutIsRefused) {
  const std::string whole = bytes();
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    write(whole.substr(0, size));
    EXPECT_THROW(load_network(folder_), CheckpointError) << size;
  }
}

TEST_F(Files, EveryFlippedBitIsRefused) {
  const std::string whole = bytes();
  base::Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    // The first flips hit the header, the others anywhere.
    const auto at = rng.below(static_cast<std::uint32_t>(i < 150 ? 2000 : whole.size()));
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << rng.below(8));
    write(damaged);
    try {
      const NetworkFile read = load_network(folder_);
      Network network(read.config);
      set_weights(*network, read.weights);
      EXPECT_EQ(read.weights, network_.weights) << at;
      EXPECT_EQ(read.config, network_.config) << at;
      EXPECT_EQ(read.repertoire, network_.repertoire) << at;
      EXPECT_EQ(read.generation, network_.generation) << at;
    } catch (const CheckpointError& error) {
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
    }
  }
}

// A safetensors file of this header and data.
std::string with_header(std::string header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

TEST_F(Files, ADeeplyNestedHeaderIsRefused) {
  write(with_header(R"({"a":)" + std::string(1 << 20, '['), "data"));
  EXPECT_THROW(load_network(folder_), CheckpointError);
  const std::string deep(200000, '[');
  write(with_header(R"({"a":)" + deep + std::string(deep.size(), ']') + "}", "data"));
  EXPECT_THROW(load_network(folder_), CheckpointError);
}

TEST_F(Files, ArraysThatShareTheirDataAreRefused) {
  const std::string data(4000, '\0');
  std::string header =
      R"({"__metadata__":{"checksum":")" + std::to_string(base::fnv1a(data)) + "\"}";
  for (const char* name : {"a", "b"}) {
    header +=
        std::string(",\"") + name + R"(":{"dtype":"F32","shape":[1000],"data_offsets":[0,4000]})";
  }
  write(with_header(header + "}", data));
  try {
    load_weights(file_);
    FAIL() << "more arrays than data";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("larger than the file"));
  }
}

TEST_F(Files, AFolderInItsPlaceIsRefused) {
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_THROW(load_weights(file_), CheckpointError);
}

TEST_F(Files, AConfigLargerThanTheWeightsIsRefusedBeforeAllocation) {
  network_.config.blocks = 80;
  network_.config.channels = 1024;
  save_network(network_, file_);
  EXPECT_THROW(load_network(folder_), CheckpointError);
}

}  // namespace
}  // namespace nn
