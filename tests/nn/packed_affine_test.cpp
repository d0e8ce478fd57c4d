#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "nn/float_layers.h"

namespace nn {
namespace {

std::vector<float> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& x : numbers) x = normal(random);
  return numbers;
}

// A row's output, in double precision.
double expected(const Affine& layer, const float* row, std::size_t output) {
  const auto inputs = static_cast<std::size_t>(layer.in);
  double sum = layer.bias[output];
  for (std::size_t i = 0; i < inputs; ++i) sum += row[i] * layer.weight[output * inputs + i];
  return sum;
}

class PackedAffineTest : public testing::TestWithParam<base::CpuLevel> {};
INSTANTIATE_TEST_SUITE_P(Levels, PackedAffineTest, testing::ValuesIn(base::available_cpu_levels()),
                         [](const auto& level) { return "Level" + std::to_string(level.index); });

// Outputs that no register divides, and numbers of rows around those that are done at once.
TEST_P(PackedAffineTest, AnswersARowAlikeAtEveryPlaceAmongAnyNumberOfRows) {
  constexpr int kMostRows = 19;
  const FloatKernels& kernels = float_kernels(GetParam());
  for (const auto& [in, out] : {std::pair(39, 64), {103, 32}, {1063, 64}, {64, 13}, {5, 1}}) {
    const auto inputs = static_cast<std::size_t>(in), outputs = static_cast<std::size_t>(out);
    const Affine layer{in, out, random_numbers(inputs * outputs, 1), random_numbers(outputs, 2)};
    const PackedAffine packed(layer, kernels);
    const std::vector<float> rows = random_numbers(kMostRows * inputs, 3);
    std::vector<float> alone(kMostRows * outputs);
    for (std::size_t row = 0; row < kMostRows; ++row) {
      float* const answer = alone.data() + row * outputs;
      packed(rows.data() + row * inputs, 1, answer);
      for (std::size_t o = 0; o < outputs; ++o) {
        ASSERT_NEAR(answer[o], expected(layer, rows.data() + row * inputs, o), 1e-3);
      }
    }
    for (int count = 1; count <= kMostRows; ++count) {
      const auto numbers = static_cast<std::size_t>(count) * outputs;
      std::vector<float> together(numbers + 1, 7.0f);
      packed(rows.data(), count, together.data());
      ASSERT_TRUE(std::equal(together.begin(), together.end() - 1, alone.begin()))
          << in << " to " << out << ", " << count << " rows";
      ASSERT_EQ(together.back(), 7.0f) << "it wrote beyond its rows";
    }
  }
}

}  // namespace
}  // namespace nn
