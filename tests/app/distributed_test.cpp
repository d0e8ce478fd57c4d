#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/app/process.h"

namespace app {
namespace {

const std::string kRoot = SHARPZERO_SOURCE;

// What tests/app/distributed.py says of the test of this name, with a server of its own.
class Distributed : public testing::TestWithParam<const char*> {};

TEST_P(Distributed, Holds) {
  if (run({"status", "--store", "postgresql:///x?host=/nowhere"})
          .error.find("built without PostgreSQL") != std::string::npos) {
    GTEST_SKIP() << "built without PostgreSQL";
  }
  if (run_program({"sh", "-c", "ls /usr/lib/postgresql/*/bin/initdb"}).code != 0) {
    GTEST_SKIP() << "no PostgreSQL server here";
  }
  const TemporaryFolder folder;
  const Finished done = run_program({"python3", kRoot + "/tests/app/distributed.py",
                                     SHARPZERO_PROGRAM, kRoot, folder / "all", GetParam()});
  EXPECT_EQ(done.code, 0) << done.out << done.error;
}

INSTANTIATE_TEST_SUITE_P(OneMachine, Distributed,
                         testing::Values("weights", "store", "roles", "refusals", "strangers",
                                         "team", "faults"),
                         [](const auto& name) { return std::string(name.param); });

TEST(Distributed, IsRefusedInOneLineWhereItCannotBe) {
  const Finished done = run({"train", "--config", "tiny", "--learn-only"});
  EXPECT_EQ(done.code, 2);
  EXPECT_EQ(run({"store", "check", "--store", "/nonexistent"}).code, 2);
  EXPECT_EQ(run({"store", "mend", "--store", "/nonexistent"}).code, 2);
}

}  // namespace
}  // namespace app
