#include "tactics/search_report.h"

#include <gtest/gtest.h>

#include <array>

namespace tactics {
namespace {

TEST(DrawByWeight, IsInProportionToAPowerOfThem) {
  base::Rng rng(5);
  const auto drawn = [&](double temperature) {
    constexpr std::array<double, 4> kWeights{0, 10, 20, 0};
    std::array<int, 4> counts{};
    for (int i = 0; i < 30000; ++i) ++counts[sample_by_weight(kWeights, temperature, rng)];
    EXPECT_EQ(counts[0] + counts[3], 0);
    return static_cast<double>(counts[2]) / counts[1];
  };
  EXPECT_NEAR(drawn(1), 2, 0.15);
  EXPECT_NEAR(drawn(0.5), 4, 0.3);
  EXPECT_EQ(sample_by_weight(std::array<double, 2>{}, 1, rng), 0u);
}

TEST(DrawMove, TakesWhatIsProvenBestAndNothingThatIsProvenWorse) {
  base::Rng rng(1);
  const auto raw = [](int n) { return rules::Move::from_raw(static_cast<std::uint16_t>(n)); };
  std::vector<RootMove> moves{{.move = raw(1), .weight = 1, .value_stm = 0.5f},
                              {.move = raw(2), .weight = 9, .value_stm = -1, .proven = true},
                              {.move = raw(3), .weight = 1, .value_stm = 0.4f}};
  EXPECT_EQ(sample_move(moves, 0, rng).move, raw(1));
  std::array<int, 4> drawn{};
  for (int i = 0; i < 200; ++i) ++drawn[sample_move(moves, 1, rng).move.raw()];
  EXPECT_GT(drawn[1], 50);
  EXPECT_EQ(drawn[2], 0);
  EXPECT_GT(drawn[3], 50);
  moves.front().proven = true;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sample_move(moves, 1, rng).move, raw(1));
}

}  // namespace
}  // namespace tactics
