#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "tests/temporary_folder.h"

namespace base {
namespace {

TEST(Memory, OfTheStrictestCgroup) {
  const TemporaryFolder folder;
  for (const char* group : {"a/b", "memory"}) std::filesystem::create_directories(folder / group);
  const std::filesystem::path mounts(folder / "");
  EXPECT_EQ(memory_of_cgroups("0::/a/b\n", mounts), std::nullopt);
  folder.write("a/b/memory.max", "max\n");
  folder.write("a/b/memory.current", "1000\n");
  EXPECT_EQ(memory_of_cgroups("0::/a/b\n", mounts), std::nullopt);
  folder.write("a/memory.max", "5000\n");
  folder.write("a/memory.current", "3000\n");
  EXPECT_EQ(memory_of_cgroups("0::/a/b\n", mounts), 2000u);
  folder.write("a/memory.stat", "anon 500\nfile 1500\ninactive_file 600\nactive_file 400\n");
  EXPECT_EQ(memory_of_cgroups("0::/a/b\n", mounts), 3000u) << "cached files are given back";
  folder.write("a/memory.current", "9000\n");
  EXPECT_EQ(memory_of_cgroups("0::/a/b\n", mounts), 0u);
  folder.write("memory/memory.limit_in_bytes", "700\n");
  folder.write("memory/memory.usage_in_bytes", "100\n");
  EXPECT_EQ(memory_of_cgroups("3:cpu:/x\n2:memory:/docker/x\n", mounts), 600u);
}

TEST(Memory, IsAtMostWhatTheProcessMayHave) {
  const std::uint64_t free = available_memory();
  EXPECT_GT(free, std::uint64_t{1} << 20);
  EXPECT_TRUE(memory_is_available(1));
  EXPECT_FALSE(memory_is_available(free + (std::uint64_t{1} << 40)));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  rlimit bound = before;
  bound.rlim_cur = std::uint64_t{1} << 29;
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &bound), 0);
  EXPECT_LE(available_memory(), std::uint64_t{1} << 29);
  setrlimit(RLIMIT_DATA, &before);
}

TEST(Memory, ClaimsTogetherStayWithinWhatThereIs) {
  const auto free = static_cast<int>(available_memory() >> 20);
  const MemoryClaim small(3);
  EXPECT_EQ(small.mib(), 3);
  MemoryClaim large(1 << 30);
  EXPECT_LT(large.mib(), free);
  EXPECT_GT(large.mib(), free / 2);
  const int alone = large.mib();
  {
    const MemoryClaim rest(1 << 30);
    EXPECT_LT(rest.mib(), free / 4) << "the memory of the first is not given twice";
  }
  large.reduce(1);
  const MemoryClaim again(1 << 30);
  EXPECT_GT(again.mib(), alone / 2);
}

}  // namespace
}  // namespace base
