#include "app/pgn_file.h"

#include <iostream>

#include "selfplay/errors.h"

namespace app {

PgnFile::PgnFile(const std::string& path) : path_(path) {
  if (path != "-") file_.open(path);
  check();
}

void PgnFile::write(const rules::PgnGame& game) {
  out() << rules::to_pgn(game) << std::flush;
  check();
}

std::ostream& PgnFile::out() { return path_ == "-" ? std::cout : file_; }

void PgnFile::check() {
  if (!out()) throw selfplay::EnvironmentError("cannot write " + path_);
}

}  // namespace app
