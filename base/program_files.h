#pragma once

#include <filesystem>

namespace base {

// The folder that holds networks/ and configs/: share/sharpzero beside the bin/ of an installed
// program, else the sources that it was built from.
std::filesystem::path program_files();

}  // namespace base
