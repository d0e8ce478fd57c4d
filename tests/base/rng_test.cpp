#include "base/rng.h"

#include <gtest/gtest.h>

#include <cmath>

namespace base {
namespace {

// The order in which numbers are drawn is part of the stream: it is the same with every compiler.
TEST(Rng, NormalDrawsItsRadiusBeforeItsAngle) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed), parts(seed);
    const double radius = std::sqrt(-2 * std::log(parts.uniform_positive()));
    const double angle = 6.283185307179586 * parts.uniform();
    EXPECT_NEAR(rng.normal(), radius * std::cos(angle), 1e-12);
    EXPECT_EQ(rng.state(), parts.state());
  }
}

TEST(Rng, GammaOfASmallShapeDrawsThatOfTheGreaterOneFirst) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed), parts(seed);
    const double above = parts.gamma(1.3);
    const double power = std::pow(parts.uniform_positive(), 1 / 0.3);
    EXPECT_NEAR(rng.gamma(0.3), above * power, 1e-12);
    EXPECT_EQ(rng.state(), parts.state());
  }
}

}  // namespace
}  // namespace base
