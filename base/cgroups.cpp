#include "base/cgroups.h"

#include <sstream>
#include <string>

namespace base {

namespace fs = std::filesystem;

std::vector<fs::path> folders_of_cgroups(std::string_view process, const fs::path& mounts,
                                         std::string_view controller) {
  std::vector<fs::path> folders;
  const std::string wanted = "," + std::string(controller) + ",";
  std::istringstream lines{std::string(process)};
  // "ID:CONTROLLERS:PATH", where v2's has no controllers.
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool has_it = ("," + controllers + ",").find(wanted) != std::string::npos;
    if (!controllers.empty() && !has_it) continue;
    const fs::path mount = controllers.empty() ? mounts : mounts / controllers;
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (bool above = true; above; group = group.parent_path()) {
      above = !group.empty();
      folders.push_back(mount / group);
    }
  }
  return folders;
}

}  // namespace base
