#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "arena/match.h"
#include "base/files.h"

namespace app {

// The games of a match, kept as they end so that a match that was interrupted or killed goes on:
// lines of JSON, the first of them the match's settings. Whatever a killed process left of a line
// is dropped. One thread.
class MatchFile {
 public:
  // Opens the file, or makes it. `settings`: an object of all that makes the games others than
  // those of another match. Throws base::InputError naming the file and the first setting that
  // is another, or the line that is damaged; base::EnvironmentError where it cannot be written or
  // another process plays this match.
  MatchFile(const std::filesystem::path& path, const nlohmann::ordered_json& settings,
            rules::RuleSet rules, const rules::ScoringTable& table);

  // The games that it held when it was opened, in the order in which they ended.
  std::vector<arena::MatchGame> games;

  // The game is in the file when this returns.
  void append(const arena::MatchGame& game);

 private:
  base::FileLock lock_;
  base::AppendFile file_;
};

}  // namespace app
