#include "training/text_file.h"

#include "nn/files.h"
#include "selfplay/errors.h"
#include "training/append_file.h"

namespace training {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) { return nn::read_file(path).value_or(""); }

void write_text(const fs::path& path, std::string_view text) {
  const fs::path aside = path.string() + ".new";
  std::error_code error;
  fs::remove(aside, error);
  try {
    AppendFile file(aside);
    file.append(text);
    file.sync();
  } catch (...) {
    fs::remove(aside, error);  // a full disk gets its space back
    throw;
  }
  fs::rename(aside, path, error);
  if (error) {
    throw selfplay::EnvironmentError("cannot write " + path.string() + ": " + error.message());
  }
}

}  // namespace training
