#pragma once

#include <cstdint>
#include <string_view>

namespace base {

// FNV-1a, 64 bits: tells things apart, and finds damage, not malice. A hash that is given back as
// `state` goes on with more bytes.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t state = 0xcbf29ce484222325) {
  for (const char c : bytes) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return state;
}

}  // namespace base
