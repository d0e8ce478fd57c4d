#pragma once
// The cgroups that a process is in, which bound what it may use.

#include <filesystem>
#include <string_view>
#include <vector>

namespace base {

// The folders of the cgroups (v2's, and v1's with this controller) that the process is in, each
// followed by those above it; some may not exist. `process` is /proc/self/cgroup's text, `mounts`
// the folder in which the cgroups are mounted.
std::vector<std::filesystem::path> folders_of_cgroups(std::string_view process,
                                                      const std::filesystem::path& mounts,
                                                      std::string_view controller);

}  // namespace base
