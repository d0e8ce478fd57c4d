#include "base/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

#include "base/numbers.h"

namespace base {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// v2's file, or v1's two, of one cgroup.
std::optional<double> cores_of_cgroup(const fs::path& folder) {
  if (const auto cores = cores_of_cpu_max(text_of(folder / "cpu.max"))) return cores;
  return cores_of_cpu_max(text_of(folder / "cpu.cfs_quota_us") + " " +
                          text_of(folder / "cpu.cfs_period_us"));
}

bool lists(std::string_view names, std::string_view name) {
  std::istringstream list{std::string(names)};
  for (std::string one; std::getline(list, one, ',');) {
    if (one == name) return true;
  }
  return false;
}

int cores_of_affinity() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());  // more cores than the set can hold
}

}  // namespace

std::optional<double> cores_of_cpu_max(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string quota, period;
  words >> quota >> period;
  const auto time = parse_number<double>(quota), of = parse_number<double>(period);
  if (!time || !of || *time <= 0 || *of <= 0) return std::nullopt;  // v1 says -1 for no limit
  return *time / *of;
}

std::optional<double> cores_of_cgroups(std::string_view process, const fs::path& mounts) {
  std::optional<double> fewest;
  std::istringstream lines{std::string(process)};
  // "ID:CONTROLLERS:PATH", where v2's has no controllers.
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !lists(controllers, "cpu")) continue;
    const fs::path mount = controllers.empty() ? mounts : mounts / controllers;
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (bool above = true; above; group = group.parent_path()) {
      above = !group.empty();
      if (const auto cores = cores_of_cgroup(mount / group)) {
        fewest = std::min(*cores, fewest.value_or(*cores));
      }
    }
  }
  return fewest;
}

int usable_cores() {
  const int cores = cores_of_affinity();
  const auto granted = cores_of_cgroups(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
  const double rounded = granted ? std::ceil(*granted) : cores;
  return std::max(1, static_cast<int>(std::min<double>(rounded, cores)));
}

}  // namespace base
