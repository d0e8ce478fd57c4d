#pragma once
// Who uses a run's folder, and since when.

#include <filesystem>
#include <string>

#include "base/files.h"

namespace training {

// Files of the folder: run.json describes the run and its starts.
inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kLockFile = "lock";

// Locks the folder for as long as what it returns lives. Throws base::EnvironmentError where disk
// or rights fail or another process has locked it (naming its pid).
base::FileLock lock_run(const std::filesystem::path& folder);

// The pid of the process that has locked the folder; empty where none has.
std::string user_of_run(const std::filesystem::path& folder);

// When the run was last started, as its run.json says (UTC, ISO 8601: later is greater); empty
// where that cannot be read.
std::string last_start(const std::filesystem::path& run);

}  // namespace training
