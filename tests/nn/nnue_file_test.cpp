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

// What is of one king's place and one stack.
WeightsFile narrow(WeightsFile file, const std::string& version) {
  file.metadata["format_version"] = version;
  for (auto& [name, array] : file.weights) {
    if (name == "bias") continue;
    if (name == "feature") {
      array.shape[0] = Shape::kKinds - (version == "1");
    } else {
      array.shape.erase(array.shape.begin());
    }
    std::size_t size = 1;
    for (const auto n : array.shape) size *= static_cast<std::size_t>(n);
    array.values.resize(size);
  }
  return file;
}

TEST_F(NnueFiles, OfFormerVersionsAreAlikeForAllPlacesAndStacks) {
  const WeightsFile second = narrow(load_weights(path_), "2");
  save_weights(second, path_);
  const NnueFloatWeights weights = load_nnue(path_).weights;
  const auto& feature = second.weights.at("feature").values;
  for (std::size_t i = 0; i < weights.feature.size(); ++i) {
    ASSERT_EQ(weights.feature[i], feature[i % feature.size()]) << i;
  }
  const auto& first = second.weights.at("first").values;
  for (std::size_t i = 0; i < weights.first.size(); ++i) {
    ASSERT_EQ(weights.first[i], first[i % first.size()]) << i;
  }
  const auto& out = second.weights.at("out_bias").values;
  ASSERT_EQ(out.size(), 7u);
  for (std::size_t i = 0; i < weights.out_bias.size(); ++i) {
    ASSERT_EQ(weights.out_bias[i], out[i % 7]) << i;
  }
}

// Their answers, and the games that were played with them, are as they were.
TEST_F(NnueFiles, OfFormerVersionsDoNotMirrorAndKeepTheirFingerprint) {
  using rules::Position;
  const Position position = Position::from_fen("3k4/8/8/8/8/8/P7/4K3[NNq] w - - 17 30");
  const auto answers = [](const NnueFloatWeights& weights, const Position& at) {
    tactics::Nnue nnue(quantize(weights));
    nnue.start(at);
    return nnue.outcomes();
  };
  const auto former = random_weights(3, 0.5f);
  nnue_.weights = former;
  save_nnue(nnue_, path_);
  for (const char* version : {"1", "2"}) {
    const WeightsFile file = narrow(load_weights(path_), version);
    const auto other = temporary_ / version;
    save_weights(file, other);
    const NnueFloatWeights weights = load_nnue(other).weights;
    EXPECT_EQ(fingerprint(weights), fingerprint(file.weights));
    EXPECT_NE(answers(weights, position), answers(weights, position.mirrored()));
  }
  EXPECT_EQ(answers(former, position), answers(former, position.mirrored()));
}

TEST_F(NnueFiles, OfTheFirstVersionDoNotTellTheColours) {
  WeightsFile file = narrow(load_weights(path_), "1");
  save_weights(file, path_);
  const auto weights = load_nnue(path_).weights;
  for (std::size_t place = 0; place < Shape::kKingPlaces; ++place) {
    const auto white = weights.feature.begin() +
                       static_cast<std::ptrdiff_t>((place * Shape::kKinds + Shape::kWhite) *
                                                   std::size_t{Shape::kSums});
    EXPECT_EQ(std::count(white, white + Shape::kSums, 0.0f), Shape::kSums) << place;
    EXPECT_NE(*(white - 1), 0) << place;
  }
  file.metadata["format_version"] = "3";
  save_weights(file, path_);
  EXPECT_THAT(refused(load_nnue), testing::HasSubstr("array"));
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
                                                                     {"format_version", "4"},
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
    const auto& stack = made->stacks[i / kInputs / kHidden];
    const std::size_t row = i / kInputs % kHidden;
    const float unit = 127 * stack.first_scale[row];
    ASSERT_LT(unit, 1.0f / 126);
    ASSERT_NEAR(static_cast<float>(stack.first[row][i % kInputs]) * unit, weights.first[i],
                0.5001f * unit);
  }
  const auto stack_of = [&](const std::vector<float>& array, std::size_t i) {
    return i / (array.size() / Shape::kStacks);
  };
  for (std::size_t i = 0; i < weights.table.size(); ++i) {
    ASSERT_EQ(
        made->stacks[stack_of(weights.table, i)].table[i / kHidden % Shape::kTable][i % kHidden],
        weights.table[i]);
  }
  for (std::size_t i = 0; i < weights.second.size(); ++i) {
    ASSERT_EQ(made->stacks[stack_of(weights.second, i)].second[i / kHidden % kHidden][i % kHidden],
              weights.second[i]);
  }
  for (std::size_t i = 0; i < weights.out.size(); ++i) {
    const std::size_t row = i / rules::kOutcomes % kHidden;
    ASSERT_EQ(made->stacks[stack_of(weights.out, i)].out[row][i % rules::kOutcomes],
              weights.out[i]);
  }
  for (std::size_t i = 0; i < weights.first_bias.size(); ++i) {
    ASSERT_EQ(made->stacks[i / kHidden].first_bias[i % kHidden], weights.first_bias[i]);
    ASSERT_EQ(made->stacks[i / kHidden].second_bias[i % kHidden], weights.second_bias[i]);
  }
  for (std::size_t i = 0; i < weights.out_bias.size(); ++i) {
    ASSERT_EQ(made->stacks[i / rules::kOutcomes].out_bias[i % rules::kOutcomes],
              weights.out_bias[i]);
  }
}

TEST(Quantize, EachRowOfTheFirstLayerHasItsScale) {
  NnueFloatWeights weights;
  weights.first[2 * Shape::kSums + 4] = 0.01f;
  weights.first[2 * Shape::kSums + 5] = -0.005f;
  weights.first[3 * 2 * Shape::kSums] = -8;
  const auto made = quantize(weights);
  EXPECT_EQ(made->stacks[0].first[1][4], 127);
  EXPECT_EQ(made->stacks[0].first[1][5], -64);
  EXPECT_FLOAT_EQ(made->stacks[0].first_scale[1] * 127, 0.01f / 127);
  EXPECT_EQ(made->stacks[0].first[3][0], -127);
  EXPECT_EQ(made->stacks[0].first[0], (std::array<std::int8_t, 2 * Shape::kSums>{}));
  EXPECT_GT(made->stacks[0].first_scale[0], 0);
}

// Whatever is active, no sum leaves its 16 bits.
TEST(Quantize, ClampsWhatDoesNotFit) {
  for (const float sign : {-1.0f, 1.0f}) {
    NnueFloatWeights weights;
    NnueFloatWeights::visit(weights, [&](const char*, std::vector<float>& values, const auto&) {
      std::ranges::fill(values, 1000 * sign);
    });
    const auto made = quantize(weights);
    EXPECT_EQ(made->stacks[0].first[3][5], sign > 0 ? 127 : -127);
    EXPECT_FLOAT_EQ(made->stacks[0].first_scale[3] * 127 * 127, 1000);
    const int sum = made->bias[7] + Shape::kMaxActive * made->feature[100][7];
    EXPECT_LE(std::abs(sum), std::numeric_limits<std::int16_t>::max());
    EXPECT_GT(std::abs(sum), 32000);
  }
}

}  // namespace
}  // namespace nn
