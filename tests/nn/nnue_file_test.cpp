#include "nn/nnue_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "base/rng.h"
#include "nn/checkpoint.h"
#include "tests/temporary_folder.h"

namespace nn {
namespace {

using Shape = tactics::NnueShape;

NnueFloatWeights random_weights(std::uint64_t seed, float largest) {
  base::Rng rng(seed);
  NnueFloatWeights weights;
  NnueFloatWeights::visit(weights, [&](const char*, std::vector<float>& values, const auto&) {
    for (float& w : values) w = largest * static_cast<float>(2 * rng.uniform() - 1);
  });
  return weights;
}

class NnueFiles : public testing::Test {
 protected:
  void SetUp() override { save_nnue(nnue_, path_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  // What refuses the file says so in one line, which it returns.
  template <class Load>
  std::string refused(const Load& load) const {
    try {
      load(path_);
    } catch (const CheckpointError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(path_.string()));
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
      return error.what();
    }
    ADD_FAILURE() << "was not refused";
    return "";
  }

  TemporaryFolder temporary_;
  std::filesystem::path path_ = temporary_ / kNnueFile;
  NnueFile nnue_{rules::Repertoire::parse("chess_sharp,chess"), 12, random_weights(1, 1), 700};
};

TEST_F(NnueFiles, RoundTrip) {
  const NnueFile read = load_nnue(path_);
  EXPECT_EQ(read.repertoire, nnue_.repertoire);
  EXPECT_EQ(read.generation, nnue_.generation);
  EXPECT_EQ(read.nodes, 700);
  EXPECT_EQ(read.weights, nnue_.weights);
  EXPECT_EQ(fingerprint(read.weights), fingerprint(nnue_.weights));
}

TEST_F(NnueFiles, OfTheFirstVersionDoNotTellTheColours) {
  WeightsFile file = load_weights(path_);
  file.metadata["format_version"] = "1";
  Array& feature = file.weights["feature"];
  --feature.shape[0];
  feature.values.resize(feature.values.size() - Shape::kSums);
  save_weights(file, path_);
  auto expected = nnue_.weights;
  std::fill(expected.feature.end() - Shape::kSums, expected.feature.end(), 0.0f);
  EXPECT_EQ(load_nnue(path_).weights, expected);
  EXPECT_EQ(fingerprint(load_nnue(path_).weights), fingerprint(file.weights));  // as before
  EXPECT_NE(fingerprint(load_nnue(path_).weights), fingerprint(nnue_.weights));
  file.metadata["format_version"] = "2";
  save_weights(file, path_);
  EXPECT_THAT(refused(load_nnue), testing::HasSubstr("feature"));
}

TEST_F(NnueFiles, AreToldFromNetworks) {
  EXPECT_TRUE(is_nnue(path_));
  EXPECT_THAT(refused(load_network), testing::HasSubstr("NNUE"));
  save_network({}, path_);
  EXPECT_FALSE(is_nnue(path_));
  EXPECT_THAT(refused(load_nnue), testing::HasSubstr("network"));
  std::filesystem::remove(path_);
  EXPECT_FALSE(is_nnue(path_));
  refused(load_nnue);
}

TEST_F(NnueFiles, OfAnotherKindOrVersionAreRefused) {
  const WeightsFile good = load_weights(path_);
  for (const auto& [key, value] : std::map<std::string, std::string>{{"kind", "spelling\nchecker"},
                                                                     {"format_version", "3"},
                                                                     {"format_version", ""},
                                                                     {"generation", "-1"},
                                                                     {"nodes", "0"},
                                                                     {"rules", "checkers"}}) {
    SCOPED_TRACE(key);
    WeightsFile file = good;
    file.metadata[key] = value;
    save_weights(file, path_);
    refused(load_nnue);
    if (key == "kind") refused(load_network);
  }
}

TEST_F(NnueFiles, WithOtherArraysAreRefused) {
  const WeightsFile good = load_weights(path_);
  for (const auto& [name, array] : good.weights) {
    SCOPED_TRACE(name);
    WeightsFile file = good;
    file.weights.erase(name);
    save_weights(file, path_);
    refused(load_nnue);
    file = good;
    file.weights[name].shape.push_back(1);
    save_weights(file, path_);
    refused(load_nnue);
    file = good;
    file.weights[name].values.back() = std::numeric_limits<float>::quiet_NaN();
    save_weights(file, path_);
    refused(load_nnue);
  }
  WeightsFile file = good;
  file.weights["unknown"] = {{1}, {0.0f}};
  save_weights(file, path_);
  refused(load_nnue);
}

TEST_F(NnueFiles, EveryCutIsRefused) {
  const std::string whole = bytes();
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    write(whole.substr(0, size));
    refused(load_nnue);
    EXPECT_TRUE(size >= 100 || !is_nnue(path_)) << size;
  }
  EXPECT_TRUE(is_nnue(path_)) << "its header is whole";
}

TEST_F(NnueFiles, EveryFlippedBitIsRefused) {
  const std::string whole = bytes();
  base::Rng rng(4);
  int refusals = 0;
  for (int i = 0; i < 200; ++i) {
    std::string damaged = whole;
    // The first flips hit the header, the others anywhere.
    const auto at = rng.below(static_cast<std::uint32_t>(i < 100 ? 1000 : whole.size()));
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << rng.below(8));
    write(damaged);
    try {
      EXPECT_EQ(load_nnue(path_).weights, nnue_.weights) << at;  // a space became another
    } catch (const CheckpointError& error) {
      ++refusals;
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
    }
  }
  EXPECT_GT(refusals, 180);
}

TEST(Quantize, RoundsToTheNearest) {
  const NnueFloatWeights weights = random_weights(2, 1);
  const auto made = quantize(weights);
  for (std::size_t i = 0; i < weights.feature.size(); ++i) {
    const float sum = static_cast<float>(made->feature[i / Shape::kSums][i % Shape::kSums]) / 255;
    ASSERT_NEAR(sum, weights.feature[i], 0.5001 / 255);
  }
  for (std::size_t i = 0; i < weights.bias.size(); ++i) {
    ASSERT_NEAR(static_cast<float>(made->bias[i]) / 255, weights.bias[i], 0.5001 / 255);
  }
  constexpr std::size_t kInputs = 2 * Shape::kSums, kHidden = Shape::kHidden;
  for (std::size_t i = 0; i < weights.first.size(); ++i) {
    const float unit = 127 * made->first_scale[i / kInputs];
    ASSERT_LT(unit, 1.0f / 126);
    ASSERT_NEAR(static_cast<float>(made->first[i / kInputs][i % kInputs]) * unit, weights.first[i],
                0.5001f * unit);
  }
  for (std::size_t i = 0; i < weights.table.size(); ++i) {
    ASSERT_EQ(made->table[i / kHidden][i % kHidden], weights.table[i]);
  }
  for (std::size_t i = 0; i < weights.second.size(); ++i) {
    ASSERT_EQ(made->second[i / kHidden][i % kHidden], weights.second[i]);
  }
  for (std::size_t i = 0; i < weights.out.size(); ++i) {
    ASSERT_EQ(made->out[i / rules::kOutcomes][i % rules::kOutcomes], weights.out[i]);
  }
  EXPECT_TRUE(std::ranges::equal(made->first_bias, weights.first_bias));
  EXPECT_TRUE(std::ranges::equal(made->second_bias, weights.second_bias));
  for (std::size_t i = 0; i < rules::kOutcomes; ++i) {
    EXPECT_EQ(made->out_bias[i], weights.out_bias[i]);
  }
}

TEST(Quantize, EachRowOfTheFirstLayerHasItsScale) {
  NnueFloatWeights weights;
  weights.first[2 * Shape::kSums + 4] = 0.01f;
  weights.first[2 * Shape::kSums + 5] = -0.005f;
  weights.first[3 * 2 * Shape::kSums] = -8;
  const auto made = quantize(weights);
  EXPECT_EQ(made->first[1][4], 127);
  EXPECT_EQ(made->first[1][5], -64);
  EXPECT_FLOAT_EQ(made->first_scale[1] * 127, 0.01f / 127);
  EXPECT_EQ(made->first[3][0], -127);
  EXPECT_EQ(made->first[0], (std::array<std::int8_t, 2 * Shape::kSums>{}));
  EXPECT_GT(made->first_scale[0], 0);
}

// Whatever is active, no sum leaves its 16 bits.
TEST(Quantize, ClampsWhatDoesNotFit) {
  for (const float sign : {-1.0f, 1.0f}) {
    NnueFloatWeights weights;
    NnueFloatWeights::visit(weights, [&](const char*, std::vector<float>& values, const auto&) {
      std::ranges::fill(values, 1000 * sign);
    });
    const auto made = quantize(weights);
    EXPECT_EQ(made->first[3][5], sign > 0 ? 127 : -127);
    EXPECT_FLOAT_EQ(made->first_scale[3] * 127 * 127, 1000);
    const int sum = made->bias[7] + Shape::kMaxActive * made->feature[100][7];
    EXPECT_LE(std::abs(sum), std::numeric_limits<std::int16_t>::max());
    EXPECT_GT(std::abs(sum), 32000);
  }
}

}  // namespace
}  // namespace nn
