#include "base/cpu_level.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/errors.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace base {
namespace {

constexpr const char* kPin = "SHARPZERO_CPU";

#if defined(__x86_64__)
constexpr const char* kBaselineName = "x86-64-v2";

// __builtin_cpu_supports() does not know it in every compiler.
bool has_avx_vnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 4 & 1) != 0;
}

bool has(CpuLevel level) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  switch (level) {
    case CpuLevel::kBaseline:
      return true;
    case CpuLevel::kAvx2:
      return avx2;
    case CpuLevel::kAvxVnni:
      return avx2 && has_avx_vnni();
    case CpuLevel::kAvx512:
      return avx2 && avx512;
    case CpuLevel::kAvx512Vnni:
      return avx2 && avx512 && __builtin_cpu_supports("avx512vnni");
  }
  return false;
}
#else
constexpr const char* kBaselineName = "baseline";

bool has(CpuLevel level) { return level == CpuLevel::kBaseline; }
#endif

CpuLevel choose() {
  const std::vector<CpuLevel> all = available_cpu_levels();
  const char* const asked = std::getenv(kPin);
  if (asked == nullptr || *asked == '\0') return all.back();
  std::string known;
  for (const CpuLevel level : all) {
    if (name(level) == asked) return level;
    known += " " + name(level);
  }
  throw InputError(std::string(kPin) + " " + asked + ": expected one of this machine's" + known);
}

struct LibraryLimits {
  const char *onednn, *aten, *openblas;
};
LibraryLimits limits_of(CpuLevel level) {
  switch (level) {
    case CpuLevel::kBaseline:
      return {"SSE41", "default", "Nehalem"};
    case CpuLevel::kAvx2:
      return {"AVX2", "avx2", "Haswell"};
    case CpuLevel::kAvxVnni:
      return {"AVX2_VNNI", "avx2", "Haswell"};
    case CpuLevel::kAvx512:
      return {"AVX512_CORE", "avx512", "SkylakeX"};
    case CpuLevel::kAvx512Vnni:
      return {"AVX512_CORE_VNNI", "avx512", "SkylakeX"};
  }
  return {};
}

}  // namespace

std::string name(CpuLevel level) {
  constexpr std::array kNames{kBaselineName, "avx2", "avx_vnni", "avx512", "avx512_vnni"};
  return kNames[static_cast<std::size_t>(level)];
}

std::vector<CpuLevel> available_cpu_levels() {
  std::vector<CpuLevel> found;
  std::copy_if(std::begin(kCpuLevels), std::end(kCpuLevels), std::back_inserter(found), has);
  return found;
}

CpuLevel cpu_level() {
  static const CpuLevel kLevel = choose();
  return kLevel;
}

void hold_libraries_to_cpu_level() {
  if (const char* asked = std::getenv(kPin); asked == nullptr || *asked == '\0') return;
  const LibraryLimits limits = limits_of(cpu_level());
  constexpr int kKeep = 0;
  ::setenv("ONEDNN_MAX_CPU_ISA", limits.onednn, kKeep);
  ::setenv("ATEN_CPU_CAPABILITY", limits.aten, kKeep);
  ::setenv("OPENBLAS_CORETYPE", limits.openblas, kKeep);
}

}  // namespace base
