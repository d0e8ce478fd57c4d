#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

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

}  // namespace
}  // namespace app
