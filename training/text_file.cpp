#include "training/text_file.h"

#include "nn/files.h"
#include "selfplay/errors.h"
#include "training/append_file.h"

namespace training {

namespace fs = std::filesystem;

void require_plain_file(const fs::path& path) {
  if (fs::exists(path) && !fs::is_regular_file(path)) {
    throw selfplay::InputError(path.string() + ": expected a plain file");
  }
}

std::string read_text(const fs::path& path) { return nn::read_file(path).value_or(""); }

void write_text(const fs::path& path, std::string_view text) {
  try {
    nn::write_aside(path, [&](const fs::path& aside) { AppendFile(aside).append(text); });
  } catch (const fs::filesystem_error& error) {
    throw selfplay::EnvironmentError("cannot write " + path.string() + ": " +
                                     error.code().message());
  }
}

}  // namespace training
