#pragma once
// The machine's processor: its name, and how many of its cores this process may use.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// The processor's model name and, of the instruction sets that decide which precision is
// fastest, those it has: "Intel(R) Xeon(R) Processor (avx2 avx512f amx_bf16)". One model name can
// hide several machines: a virtual one may lack what the chip has. As far as the system tells
// (/proc/cpuinfo).
std::string processor();

// The cores that cgroup v2's cpu.max ("QUOTA PERIOD", "max PERIOD") grants; empty: no limit.
std::optional<double> cores_of_cpu_max(std::string_view text);

// The fewest cores that a cgroup of the process (cgroup v2's cpu.max, v1's cpu.cfs_quota_us) or one
// above it grants; empty: no limit. `process` is /proc/self/cgroup's text, `mounts` the folder in
// which the cgroups are mounted.
std::optional<double> cores_of_cgroups(std::string_view process,
                                       const std::filesystem::path& mounts);

// The cores that the calling thread may run on, no more than its cgroups grant (rounded up), at
// least 1.
int usable_cores();

}  // namespace base
