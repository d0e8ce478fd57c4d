#include "base/program_files.h"

#include <system_error>

namespace base {

namespace fs = std::filesystem;

fs::path program_files() {
  std::error_code error;
  const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = bin.parent_path() / "share" / "sharpzero";
  return fs::is_directory(installed, error) ? installed : fs::path(SHARPZERO_HOME);
}

}  // namespace base
