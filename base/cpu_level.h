#pragma once
// Which instructions the program uses. What it spends its time in is compiled once for each level
// (cmake/CpuLevels.cmake) and chosen at its start; all else runs on any x86-64-v2, or ARM.

#include <cstdint>
#include <string>
#include <vector>

namespace base {

// In the order of preference. kAvx2 includes FMA. A processor may have one without those before it.
enum class CpuLevel : std::uint8_t { kBaseline, kAvx2, kAvxVnni, kAvx512, kAvx512Vnni };
inline constexpr CpuLevel kCpuLevels[] = {CpuLevel::kBaseline, CpuLevel::kAvx2, CpuLevel::kAvxVnni,
                                          CpuLevel::kAvx512, CpuLevel::kAvx512Vnni};

// "x86-64-v2" (elsewhere "baseline"), "avx2", "avx_vnni", "avx512", "avx512_vnni".
std::string name(CpuLevel level);

// The levels that this machine has, the best last.
std::vector<CpuLevel> available_cpu_levels();

// The level in use: the best, or the one that SHARPZERO_CPU names. Throws InputError where the
// machine does not have that.
CpuLevel cpu_level();

// Holds the libraries that are loaded later to the level in use (oneDNN, ATen, OpenBLAS, by their
// environment variables) where SHARPZERO_CPU is set; what the user has set himself stays. Throws as
// cpu_level() does.
void hold_libraries_to_cpu_level();

}  // namespace base
