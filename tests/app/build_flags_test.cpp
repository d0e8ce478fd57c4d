#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/app/process.h"

namespace app {
namespace {

namespace fs = std::filesystem;

// Inline functions are compiled in several folders: they are to give the same numbers in each.
TEST(BuildFlags, NoFolderFusesMultiplyAndAdd) {
  const fs::path build = fs::path(SHARPZERO_PROGRAM).parent_path().parent_path();
  std::ifstream file(build / "compile_commands.json");
  constexpr std::array kFolders{"base",     "rules", "tactics",  "mcts",    "nn",
                                "selfplay", "arena", "training", "studies", "app"};
  int looked_at = 0;
  for (const auto& entry : nlohmann::json::parse(file)) {
    const fs::path source =
        fs::path(entry["file"].get<std::string>()).lexically_relative(SHARPZERO_SOURCE);
    if (std::ranges::count(kFolders, *source.begin()) == 0) continue;
    ++looked_at;
    EXPECT_NE(entry["command"].get<std::string>().find(" -ffp-contract=off "), std::string::npos)
        << source;
  }
  EXPECT_GT(looked_at, 100);
}

// The linker keeps one copy of a function that several sources define inline: where it is that of a
// source compiled for a newer processor, an older one stops there. nm calls such symbols weak or
// unique.
TEST(BuildFlags, WhatIsCompiledForALevelSharesNoFunctionWithOthers) {
  if (SHARPZERO_SANITIZED) GTEST_SKIP() << "sanitizers define symbols of their own";
  const fs::path build = fs::path(SHARPZERO_PROGRAM).parent_path().parent_path();
  std::ifstream file(build / "compile_commands.json");
  int looked_at = 0;
  for (const auto& entry : nlohmann::json::parse(file)) {
    std::istringstream words(entry["command"].get<std::string>());
    std::string object;
    bool of_a_level = false;
    for (std::string word; words >> word;) {
      of_a_level |= word.starts_with("-DSHARPZERO_LEVEL=");
      if (word == "-o") words >> object;
    }
    if (!of_a_level) continue;
    ++looked_at;
    const Finished symbols = run_program({"nm", "-C", (build / object).string()});
    ASSERT_EQ(symbols.code, 0) << symbols.error;
    std::istringstream lines(symbols.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(line.size() > 18 && std::string("WVuwv").find(line[17]) != std::string::npos)
          << object << ": " << line;
    }
  }
  EXPECT_GT(looked_at, 0);
}

}  // namespace
}  // namespace app
