#pragma once
// The lock of a run's folder, which one process at a time holds. A dead process leaves none
// (flock).

#include <filesystem>
#include <string>

#include "base/files.h"

namespace training {

inline constexpr const char* kLockFile = "lock";  // in the folder

// Locks the folder for as long as what it returns lives. Throws base::EnvironmentError where disk
// or rights fail or another process has locked it (naming its pid).
base::FileLock lock_run(const std::filesystem::path& folder);

// The pid of the process that has locked the folder; empty where none has.
std::string user_of_run(const std::filesystem::path& folder);

}  // namespace training
