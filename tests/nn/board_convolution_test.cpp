#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "nn/float_layers.h"

namespace nn {
namespace {

std::vector<float> random_numbers(std::size_t count, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, scale);
  std::vector<float> numbers(count);
  for (float& x : numbers) x = static_cast<float>(normal(random));
  return numbers;
}

Convolution random_layer(int in, int out) {
  const auto inputs = static_cast<std::size_t>(in), outputs = static_cast<std::size_t>(out);
  return {in, out, 3, random_numbers(outputs * inputs * 9, 1 / std::sqrt(9.0 * in), 1),
          random_numbers(outputs, 1, 2)};
}

// The sum that defines a convolution, in double precision, at one square of one board.
double expected(const Convolution& layer, const float* board, int square, int output) {
  double sum = layer.bias[static_cast<std::size_t>(output)];
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int y = square / 8 + dy, x = square % 8 + dx;
      if (y < 0 || y > 7 || x < 0 || x > 7) continue;
      for (int i = 0; i < layer.in; ++i) {
        const int weight = ((output * layer.in + i) * 3 + dy + 1) * 3 + dx + 1;
        sum += double{board[(8 * y + x) * layer.in + i]} *
               layer.weight[static_cast<std::size_t>(weight)];
      }
    }
  }
  return sum;
}

double followed(After after, double sum, double before) {
  if (after == After::kNothing) return sum;
  return std::max(0.0, after == After::kRelu ? sum : before + sum);
}

class BoardConvolutionTest : public testing::TestWithParam<base::CpuLevel> {
 protected:
  static const FloatKernels& kernels() { return float_kernels(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Levels, BoardConvolutionTest,
                         testing::ValuesIn(base::available_cpu_levels()),
                         [](const auto& level) { return "Level" + std::to_string(level.index); });

// Also with channels that no register divides.
TEST_P(BoardConvolutionTest, IsTheSumThatDefinesIt) {
  for (const auto& [in, out] : {std::pair(64, 64), {62, 32}, {9, 7}, {1, 1}, {40, 72}}) {
    const Convolution layer = random_layer(in, out);
    const BoardConvolution convolution(layer, kernels());
    AlignedFloats scratch(convolution.scratch_size());
    const auto x = random_numbers(static_cast<std::size_t>(3 * 64 * in), 1, 3);
    const auto before = random_numbers(static_cast<std::size_t>(3 * 64 * out), 1, 4);
    for (const After after : {After::kNothing, After::kRelu, After::kAddToOutputThenRelu}) {
      std::vector<float> y = before;
      convolution(x.data(), 3, after, y.data(), scratch);
      for (int i = 0; i < 3 * 64 * out; ++i) {
        const int row = i / (64 * out), square = i / out % 64, output = i % out;
        const auto at = static_cast<std::size_t>(i);
        const double sum = expected(layer, x.data() + row * 64 * in, square, output);
        ASSERT_NEAR(y[at], followed(after, sum, before[at]), 1e-4)
            << in << " to " << out << ", row " << row << ", square " << square << ", " << output;
      }
    }
  }
}

TEST_P(BoardConvolutionTest, AnswersARowAlikeAtEveryPlaceAmongAnyNumberOfRows) {
  constexpr std::size_t kIn = 9, kOut = 70, kMost = BoardConvolution::kMostRows;
  const BoardConvolution convolution(random_layer(kIn, kOut), kernels());
  AlignedFloats scratch(convolution.scratch_size());
  const auto x = random_numbers(kMost * 64 * kIn, 1, 3);
  std::vector<float> alone(kMost * 64 * kOut);
  for (std::size_t row = 0; row < kMost; ++row) {
    convolution(x.data() + row * 64 * kIn, 1, After::kNothing, alone.data() + row * 64 * kOut,
                scratch);
  }
  for (std::size_t rows = 2; rows <= kMost; ++rows) {
    std::vector<float> together(rows * 64 * kOut + 1, 7.0f);
    convolution(x.data(), static_cast<int>(rows), After::kNothing, together.data(), scratch);
    EXPECT_TRUE(std::equal(together.begin(), together.end() - 1, alone.begin())) << rows << " rows";
    EXPECT_EQ(together.back(), 7.0f) << "it wrote beyond its rows";
  }
}

}  // namespace
}  // namespace nn
