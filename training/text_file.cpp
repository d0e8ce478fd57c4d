#include "training/text_file.h"

#include <fstream>
#include <iterator>

#include "selfplay/errors.h"

namespace training {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& path, std::string_view text) {
  const fs::path aside = path.string() + ".new";
  std::ofstream out(aside, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) fs::rename(aside, path, error);
  if (!out || error) throw selfplay::EnvironmentError("cannot write " + path.string());
}

}  // namespace training
