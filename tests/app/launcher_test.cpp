// The launchers' shell code. What builds is not run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// The exit code of these commands after build.sh was read for a program in this folder.
int build_sh(const std::string& root, const std::string& commands) {
  return run_program({"sh", "-c", "root=$1; . \"$2\"; build_key; preset=release; " + commands, "sh",
                      root, SHARPZERO_SOURCE "/scripts/build.sh"})
      .code;
}

TEST(Launcher, ABuildThatWasMovedIsOutOfDateAndItsCacheIsDropped) {
  const TemporaryFolder folder;
  const std::string here = folder / "here", there = folder / "there";
  for (const char* name : {"rules", "mcts", "nn", "selfplay", "training", "app", "cmake",
                           "CMakeLists.txt", "CMakePresets.json", "build/release/CMakeFiles"}) {
    fs::create_directories(here + "/" + name);
  }
  folder.write("here/build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=" + here + "\n");
  const std::string up_to_date = "up_to_date release sharpzero";
  EXPECT_NE(build_sh(here, up_to_date), 0);
  EXPECT_EQ(build_sh(here, "printf '%s\\n' \"$key\" >\"$root/build/release/.sharpzero-built\""), 0);
  EXPECT_EQ(build_sh(here, up_to_date), 0);
  EXPECT_EQ(build_sh(here, "drop_foreign_cache"), 0);
  EXPECT_TRUE(fs::exists(here + "/build/release/CMakeCache.txt"));

  fs::rename(here, there);
  EXPECT_NE(build_sh(there, up_to_date), 0);
  EXPECT_EQ(build_sh(there, "drop_foreign_cache"), 0);
  EXPECT_FALSE(fs::exists(there + "/build/release/CMakeCache.txt"));
  EXPECT_FALSE(fs::exists(there + "/build/release/CMakeFiles"));
}

TEST(Launcher, TestRefusesAFolderThatIsNone) {
  const Finished finished = run_program({SHARPZERO_SOURCE "/test", "rules", "ruls"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.error,
              HasSubstr("'ruls': expected folders of rules mcts nn selfplay training app"));
}

}  // namespace
}  // namespace app
