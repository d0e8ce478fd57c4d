#include "base/processor.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace base {
namespace {

constexpr std::array<std::string_view, 10> kMatter{
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

}  // namespace

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::string name = first_value(text, "model name");
  if (name.empty()) name = "unknown processor";
  std::istringstream flags(first_value(text, "flags") + " " + first_value(text, "Features"));
  std::string features;
  for (std::string flag; flags >> flag;) {
    if (std::ranges::find(kMatter, flag) != kMatter.end()) features += " " + flag;
  }
  return features.empty() ? name : name + " (" + features.substr(1) + ")";
}

}  // namespace base
