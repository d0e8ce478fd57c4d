#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine.h"

namespace engine {
namespace {

using tactics::TimeBudget;

TEST(TimeControl, NeverSpendsMoreThanItHas) {
  for (const double left : {5.0, 50.0, 1000.0, 60000.0, 3600000.0}) {
    for (const double increment : {0.0, 10.0, 2000.0}) {
      for (const int to_go : {0, 1, 5, 40}) {
        for (const double overhead : {0.0, 30.0}) {
          const TimeBudget b = allot({left, increment, to_go}, 60, overhead);
          EXPECT_GE(b.soft_ms, 1);
          EXPECT_GE(b.hard_ms, b.soft_ms);
          EXPECT_LE(b.hard_ms, std::max(1.0, left - overhead));
        }
      }
    }
  }
  EXPECT_GT(allot({60000, 0, 1}, 60, 0).soft_ms, 50000);
  EXPECT_LT(allot({60000, 0, 0}, 60, 0).hard_ms, 20000);
}

// A long game on the clock, every fourth move hard to make up one's mind about: it must last.
TEST(TimeControl, AClockLastsAGame) {
  for (const double increment : {0.0, 100.0}) {
    double left = 60000;
    for (int move = 0; move < 120; ++move) {
      const TimeBudget b = allot({left, increment, 0}, 80, 20);
      left -= (move % 4 == 0 ? b.hard_ms : b.soft_ms) + 20;
      ASSERT_GT(left, 0) << "move " << move;
      left += increment;
    }
  }
}

}  // namespace
}  // namespace engine
