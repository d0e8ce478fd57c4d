#include "rules/error.h"

namespace rules {

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  if (text.size() > kMost) out += "...";
  return out + "'";
}

void refuse(std::string_view field, std::string_view value, std::string_view expectation) {
  throw RulesError(std::string(field) + " " + quoted(value) + ": expected " +
                   std::string(expectation));
}

}  // namespace rules
