#include "rules/table_spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rules {
namespace {

TEST(TableSpread, NoSpreadLeavesTheTableAsItIs) {
  base::Rng rng(1);
  EXPECT_EQ(drawn_around({}, {}, /*pawn_too=*/true, rng), ScoringTable{});
}

TEST(TableSpread, DrawnTablesKeepTheirOrderAndMoveAsFarAsAsked) {
  constexpr int kTables = 4000;
  const ScoringTable own;
  base::Rng rng(1);
  double points = 0, material = 0;  // squares
  for (int i = 0; i < kTables; ++i) {
    const ScoringTable table = drawn_around(own, kNearTables, /*pawn_too=*/false, rng);
    EXPECT_TRUE(std::ranges::is_sorted(table.points_white));
    EXPECT_EQ(table.points_white.front(), 0.0);
    EXPECT_EQ(table.points_white.back(), 10.0);
    EXPECT_EQ(table.material.front(), 1.0);
    // Stalemate of White lies far enough from its neighbours not to change places often.
    points += std::pow(table.points_white[1] - own.points_white[1], 2);
    material += std::pow(std::log(table.material[4] / own.material[4]), 2);
  }
  EXPECT_NEAR(std::sqrt(points / kTables), kNearTables.stalemates, 0.05);
  EXPECT_NEAR(std::sqrt(material / kTables), kNearTables.material, 0.005);
}

TEST(TableSpread, UnderDrawnTablesToNothingPaysMoreThanAWin) {
  const auto own = ScoringTable::from_changes("white_wins=8,black_wins=2");
  base::Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_NO_THROW(drawn_around(own, kWideTables, /*pawn_too=*/true, rng).check());
  }
}

// What comes after it does not depend on it.
TEST(TableSpread, TakesAsManyRandomNumbersWhateverTheSpread) {
  base::Rng one(2), other(2);
  const ScoringTable moved = drawn_around({}, kWideTables, /*pawn_too=*/true, one);
  drawn_around({}, {}, /*pawn_too=*/true, other);
  EXPECT_EQ(one.state(), other.state());
  EXPECT_NE(moved.material.front(), 1.0);
}

}  // namespace
}  // namespace rules
