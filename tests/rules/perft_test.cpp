#include "rules/perft.h"

#include <gtest/gtest.h>

namespace rules {
namespace {

TEST(Perft, OfTheStart) {
  // Depths 6 and 7 (547,279,236 and 12,921,738,192) are run by scripts/bench_rules.sh.
  const std::uint64_t leaves[] = {1, 32, 1024, 29376, 842724, 21475692};
  for (int depth = 0; depth <= 5; ++depth) {
    EXPECT_EQ(perft(Position::start(), depth), leaves[depth]) << depth;
  }
  EXPECT_EQ(perft(Position::start(), 4, {.bulk = false}), leaves[4]);
}

TEST(Perft, StopsAtACapturedKingAlone) {
  // Kxe5 or Kxd5 ends the game; the clock is past 100 all the while.
  const auto adjacent = Position::from_fen("8/8/8/3kK3/8/8/8/8[] w - - 200 80");
  EXPECT_EQ(perft(adjacent, 1), 8U);
  EXPECT_EQ(perft(adjacent, 1, {.ends = true}), 0U);
  EXPECT_EQ(perft(adjacent, 0, {.ends = true}), 1U);
  const auto taken = Position::from_fen("8/8/8/4k3/8/8/8/8[Q] w - - 0 80");
  EXPECT_EQ(perft(taken, 1), 0U);
  EXPECT_EQ(perft(taken, 1, {.bulk = false}), 0U);
  EXPECT_TRUE(perft_divide(taken, 1).empty());
}

TEST(Perft, DivideSumsUp) {
  const auto position =
      Position::from_fen("1nn3b1/pppppppp/8/8/8/7P/PPPPPPP1/2K5[QRRBBNNkqrrb] w - - 1 4");
  const auto parts = perft_divide(position, 3);
  EXPECT_EQ(parts.size(), position.legal_moves().size());
  std::uint64_t sum = 0;
  for (const auto& [move, leaves] : parts) sum += leaves;
  EXPECT_EQ(sum, perft(position, 3));
}

}  // namespace
}  // namespace rules
