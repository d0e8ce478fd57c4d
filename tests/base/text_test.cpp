#include "base/text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace base {
namespace {

TEST(Numbers, AreTheWholeOfTheTextOrNothing) {
  EXPECT_EQ(parse_number<int>("-17"), -17);
  EXPECT_EQ(parse_number<double>("2.5e1"), 25.0);
  for (const char* text : {"", " 3", "3 ", "+3", "3x", "x", "-"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
    EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number<int>("2.5"), std::nullopt);
  EXPECT_EQ(parse_number<int>("2147483648"), std::nullopt);
  EXPECT_EQ(parse_number<std::int64_t>("2147483648"), 2147483648);
  EXPECT_EQ(parse_number<std::size_t>("-1"), std::nullopt);
}

TEST(Numbers, AreWrittenShortAndReadBackTheSame) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(0.1F), "0.1");
  EXPECT_EQ(shortest_text(10.0), "10");
  for (const double value : {1.0 / 3, 1e300, 5e-324, -2.0 / 7}) {
    EXPECT_EQ(parse_number<double>(shortest_text(value)), value);
  }
}

}  // namespace
}  // namespace base
