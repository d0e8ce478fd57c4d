#pragma once
// The lock of a run's folder, which one process at a time holds. A dead process leaves none
// (flock).

#include <filesystem>
#include <string>

namespace training {

inline constexpr const char* kLockFile = "lock";  // in the folder

// Locks the folder until the descriptor that it returns is closed. Throws base::EnvironmentError
// where disk or rights fail or another process has locked it (naming its pid).
int lock_run(const std::filesystem::path& folder);

// The pid of the process that has locked the folder; empty where none has.
std::string user_of_run(const std::filesystem::path& folder);

}  // namespace training
