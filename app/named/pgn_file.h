#pragma once

#include <fstream>
#include <iosfwd>
#include <string>

#include "rules/pgn.h"

namespace app {

// A new file of games, or stdout where the path is "-". Throws base::EnvironmentError where it
// cannot be written, rules::RulesError for a game that the dialect does not have.
class PgnFile {
 public:
  explicit PgnFile(const std::string& path, rules::PgnDialect dialect = rules::PgnDialect::kOwn);
  PgnFile(const PgnFile&) = delete;
  // Throws base::EnvironmentError where no such file can be, without making one.
  static void require_writable(const std::string& path);
  // The game is in the file when this returns.
  void write(const rules::PgnGame& game);

 private:
  void check() const;

  std::string path_;
  rules::PgnDialect dialect_;
  std::ofstream file_;
  std::ostream& out_;
};

}  // namespace app
