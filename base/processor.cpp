#include "base/processor.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <thread>

#include "base/cgroups.h"
#include "base/files.h"

namespace base {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> kInstructionSets{
    "avx2",        "avx512f",  "avx_vnni", "avx512_vnni", "avx512_bf16",
    "avx512_fp16", "amx_bf16", "amx_int8", "bf16",        "i8mm"};  // the last two: ARM

// What stands behind the colon of the first line that begins with `key`.
std::string first_value(const std::string& text, std::string_view key) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

// v2's file, or v1's two, of one cgroup.
std::optional<double> cores_of_cgroup(const fs::path& folder) {
  if (const auto cores = cores_of_cpu_max(read_text(folder / "cpu.max"))) return cores;
  return cores_of_cpu_max(read_text(folder / "cpu.cfs_quota_us") + " " +
                          read_text(folder / "cpu.cfs_period_us"));
}

int cores_of_affinity() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());  // more cores than the set can hold
}

}  // namespace

std::string processor() {
  const std::string text = read_text("/proc/cpuinfo");
  std::string name = first_value(text, "model name");
  if (name.empty()) name = "unknown processor";
  std::istringstream flags(first_value(text, "flags") + " " + first_value(text, "Features"));
  std::string features;
  for (std::string flag; flags >> flag;) {
    if (std::ranges::find(kInstructionSets, flag) != kInstructionSets.end()) features += " " + flag;
  }
  return features.empty() ? name : name + " (" + features.substr(1) + ")";
}

std::optional<double> cores_of_cpu_max(std::string_view text) {
  std::istringstream words{std::string(text)};
  double quota = 0, period = 0;  // v1's quota of -1 is no limit
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::optional<double> cores_of_cgroups(std::string_view process, const fs::path& mounts) {
  std::optional<double> fewest;
  for (const fs::path& folder : folders_of_cgroups(process, mounts, "cpu")) {
    if (const auto cores = cores_of_cgroup(folder)) {
      fewest = std::min(*cores, fewest.value_or(*cores));
    }
  }
  return fewest;
}

int usable_cores() {
  const int cores = cores_of_affinity();
  const auto granted = cores_of_cgroups(read_text("/proc/self/cgroup"), "/sys/fs/cgroup");
  const double rounded = granted ? std::ceil(*granted) : cores;
  return std::max(1, static_cast<int>(std::min<double>(rounded, cores)));
}

}  // namespace base
