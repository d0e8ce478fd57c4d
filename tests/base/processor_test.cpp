#include "base/processor.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "tests/temporary_folder.h"

namespace base {
namespace {

TEST(Cores, OfCpuMax) {
  EXPECT_EQ(cores_of_cpu_max("150000 100000\n"), 1.5);
  EXPECT_EQ(cores_of_cpu_max("max 100000\n"), std::nullopt);
  EXPECT_EQ(cores_of_cpu_max("-1\n 100000\n"), std::nullopt);  // v1's: no limit
  EXPECT_EQ(cores_of_cpu_max(""), std::nullopt);
  EXPECT_EQ(cores_of_cpu_max("100000 0"), std::nullopt);
}

TEST(Cores, TheStrictestCgroupCounts) {
  const TemporaryFolder folder;
  for (const char* group : {"a/b", "cpu,cpuacct"}) {
    std::filesystem::create_directories(folder / group);
  }
  const std::filesystem::path mounts(folder / "");
  EXPECT_EQ(cores_of_cgroups("0::/a/b\n", mounts), std::nullopt);
  folder.write("a/b/cpu.max", "max 100000\n");
  folder.write("a/cpu.max", "250000 100000\n");
  folder.write("cpu.max", "400000 100000\n");
  EXPECT_EQ(cores_of_cgroups("0::/a/b\n", mounts), 2.5);
  EXPECT_EQ(cores_of_cgroups("0::/\n", mounts), 4);
  // A container sees its own cgroup where the machine's root would be.
  EXPECT_EQ(cores_of_cgroups("0::/not/seen/here\n", mounts), 4);
  folder.write("cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
  folder.write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores_of_cgroups("5:cpuset:/x\n4:cpu,cpuacct:/docker/x\n", mounts), 0.5);
  EXPECT_EQ(cores_of_cgroups("no such line\n", mounts), std::nullopt);
}

TEST(Cores, AreThoseThatTheProcessMayUse) {
  int bound = 0;
  std::jthread([&] {
    cpu_set_t set;
    ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
    int core = 0;
    while (!CPU_ISSET(core, &set)) ++core;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
    bound = usable_cores();
  }).join();
  EXPECT_EQ(bound, 1);
  EXPECT_GE(usable_cores(), 1);
}

}  // namespace
}  // namespace base
