#include "app/named/pgn_file.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "base/errors.h"

namespace app {

PgnFile::PgnFile(const std::string& path, rules::PgnDialect dialect)
    : path_(path), dialect_(dialect), out_(path == "-" ? std::cout : file_) {
  if (path != "-") file_.open(path);
  check();
}

void PgnFile::require_writable(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(path).parent_path();
  const fs::path target = fs::exists(path) ? fs::path(path) : folder;
  if (fs::is_directory(path) || ::access(target.c_str(), W_OK) != 0) {
    throw base::EnvironmentError("cannot write " + path);
  }
}

void PgnFile::write(const rules::PgnGame& game) {
  out_ << rules::to_pgn(game, dialect_) << std::flush;
  check();
}

void PgnFile::check() const {
  if (!out_) throw base::EnvironmentError("cannot write " + path_);
}

}  // namespace app
