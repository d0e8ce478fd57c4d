#include "base/cpu_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/errors.h"

namespace base {
namespace {

TEST(CpuLevel, EveryMachineHasTheFirstAndUsesItsBest) {
  const auto all = available_cpu_levels();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), CpuLevel::kBaseline);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  if (std::getenv("SHARPZERO_CPU") == nullptr) {
    EXPECT_EQ(cpu_level(), all.back());
  }
}

// What is chosen is chosen once in a process, so each pin has one of its own.
TEST(CpuLevelDeathTest, IsPinnedByTheEnvironment) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const CpuLevel level : available_cpu_levels()) {
    EXPECT_EXIT(
        {
          ::setenv("SHARPZERO_CPU", name(level).c_str(), 1);
          ::unsetenv("ONEDNN_MAX_CPU_ISA");
          ::setenv("ATEN_CPU_CAPABILITY", "mine", 1);
          hold_libraries_to_cpu_level();
          const bool held = std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr &&
                            std::string(std::getenv("ATEN_CPU_CAPABILITY")) == "mine";
          std::exit(cpu_level() == level && held ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << name(level);
  }
}

TEST(CpuLevelDeathTest, RefusesALevelThatTheMachineLacks) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        ::setenv("SHARPZERO_CPU", "z80", 1);
        try {
          cpu_level();
        } catch (const InputError& error) {
          std::fputs(error.what(), stderr);
          std::exit(0);
        }
        std::exit(1);
      },
      testing::ExitedWithCode(0), "SHARPZERO_CPU z80: expected one of this machine's .*");
}

}  // namespace
}  // namespace base
