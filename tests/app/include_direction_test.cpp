#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace app {
namespace {

namespace fs = std::filesystem;

// The map: which folders a folder may include from, beside itself. Neither mcts nor engine sees nn,
// nor nn them.
const std::map<std::string, std::set<std::string>> kMayInclude{
    {"base", {}},
    {"rules", {"base"}},
    {"tablebase", {"base", "rules"}},
    {"tactics", {"base", "rules", "tablebase"}},
    {"mcts", {"base", "rules", "tablebase", "tactics"}},
    {"engine", {"base", "rules", "tablebase", "tactics", "mcts"}},
    {"nn", {"base", "rules", "tactics"}},
    {"selfplay", {"base", "rules", "tablebase", "tactics", "mcts", "engine", "nn"}},
    {"arena", {"base", "rules", "tablebase", "tactics", "mcts", "engine", "nn", "selfplay"}},
    {"training", {"base", "rules", "tactics", "mcts", "engine", "nn", "selfplay", "arena"}},
    {"studies",
     {"base", "rules", "tablebase", "tactics", "mcts", "engine", "nn", "selfplay", "arena",
      "training"}},
    {"app",
     {"base", "rules", "tablebase", "tactics", "mcts", "engine", "nn", "selfplay", "arena",
      "training", "studies"}},
    {"python", {"base", "rules", "tactics", "nn", "selfplay"}},
};

// The paths that a file includes, as written.
std::vector<std::string> includes_of(const fs::path& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
  std::vector<std::string> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) found.push_back(match[1]);
  }
  return found;
}

std::vector<fs::path> sources_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SHARPZERO_SOURCE) / folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") files.push_back(entry.path());
  }
  return files;
}

TEST(Includes, PointOneWay) {
  int looked_at = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    for (const auto& file : sources_in(folder)) {
      for (const auto& include : includes_of(file)) {
        const std::string from = include.substr(0, include.find('/'));
        if (!kMayInclude.contains(from) || from == folder) continue;
        ++looked_at;
        EXPECT_TRUE(allowed.contains(from)) << file << " includes " << include;
      }
    }
  }
  EXPECT_GT(looked_at, 50);
}

TEST(Includes, PointOneWayInTraining) {
  const std::vector<std::string> rooms{"settings", "learner", "student", "store",
                                       "page",     "run",     "bench"};
  const auto place = [&](const fs::path& path) {
    const auto found = std::ranges::find(rooms, path.parent_path().filename().string());
    EXPECT_NE(found, rooms.end()) << path;
    return found - rooms.begin();
  };
  for (const auto& file : sources_in("training")) {
    for (const auto& include : includes_of(file)) {
      if (!include.starts_with("training/")) continue;
      EXPECT_LE(place(include), place(file)) << file << " includes " << include;
    }
  }
}

TEST(Includes, TorchIsSeenByFewFilesOnly) {
  int looked_at = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    for (const auto& file : sources_in(folder)) {
      for (const auto& include : includes_of(file)) {
        if (!include.starts_with("torch/") && !include.starts_with("ATen/") &&
            !include.starts_with("c10/") && include != "nn/network.h") {
          continue;
        }
        ++looked_at;
        const bool source = file.extension() == ".cpp";
        const bool allowed_here =
            (folder == "nn" && (source || file.filename() == "network.h")) ||
            (folder == "training" &&
             (source || file.filename() == "losses.h" || file.filename() == "autocast.h" ||
              file.filename() == "learner_parts.h" || file.filename() == "device_step.h" ||
              file.filename() == "trained.h" || file.filename() == "shard_trainer.h" ||
              file.filename() == "nnue_learner.h" || file.filename() == "nnue_module.h"));
        EXPECT_TRUE(allowed_here) << file << " includes " << include;
      }
    }
  }
  EXPECT_GT(looked_at, 3);
}

// What lies in that namespace differs from version to version.
TEST(Includes, OfJsonOnlyWhatIsDocumentedIsUsed) {
  int looked_at = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    for (const auto& file : sources_in(folder)) {
      std::ifstream in(file);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      looked_at += text.find("nlohmann::") != std::string::npos ? 1 : 0;
      EXPECT_EQ(text.find("nlohmann::detail"), std::string::npos) << file;
    }
  }
  EXPECT_GT(looked_at, 10);
}

}  // namespace
}  // namespace app
