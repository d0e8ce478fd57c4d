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

// The object that the entry of compile_commands.json makes, in the build's folder.
fs::path object_of(const nlohmann::json& entry) {
  const std::string command = entry["command"].get<std::string>();
  const std::size_t begin = command.find(" -o ") + 4;
  return command.substr(begin, command.find(' ', begin) - begin);
}

// Inline functions are compiled in several folders: they are to give the same numbers in each.
TEST(BuildFlags, NoFolderFusesMultiplyAndAdd) {
  const fs::path build = fs::path(SHARPZERO_PROGRAM).parent_path().parent_path();
  std::ifstream file(build / "compile_commands.json");
  constexpr std::array kFolders{"base",     "rules", "tactics",  "mcts",    "nn",
                                "selfplay", "arena", "training", "studies", "app"};
  int looked_at = 0;
  for (const auto& entry : nlohmann::json::parse(file)) {
    const fs::path object = object_of(entry);
    if (std::ranges::count(kFolders, *object.begin()) == 0) continue;
    ++looked_at;
    EXPECT_NE(entry["command"].get<std::string>().find(" -ffp-contract=off "), std::string::npos)
        << object;
  }
  EXPECT_GT(looked_at, 50);
}

TEST(BuildFlags, OnlyWhatIsOfSharpzeroNetSeesLibTorchsHeaders) {
  const fs::path build = fs::path(SHARPZERO_PROGRAM).parent_path().parent_path();
  std::ifstream file(build / "compile_commands.json");
  int of_sharpzero = 0, of_net = 0;
  for (const auto& entry : nlohmann::json::parse(file)) {
    const std::string object = object_of(entry).string();
    if (object.starts_with("tests/")) continue;
    const bool net = object.find("net.dir/") != std::string::npos;
    ++(net ? of_net : of_sharpzero);
    const bool sees = entry["command"].get<std::string>().find("torch") != std::string::npos;
    EXPECT_EQ(sees, net) << object;
  }
  EXPECT_GT(of_sharpzero, 30);
  EXPECT_GT(of_net, 5);
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
