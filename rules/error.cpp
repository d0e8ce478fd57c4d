#include "rules/error.h"

#include <algorithm>

namespace rules {

std::string printable(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return "'" + printable(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "") + "'";
}

std::string refusal(std::string_view field, std::string_view value, std::string_view expectation) {
  return std::string(field) + " " + quoted(value) + ": expected " + std::string(expectation);
}

void refuse(std::string_view field, std::string_view value, std::string_view expectation) {
  throw RulesError(refusal(field, value, expectation));
}

std::size_t column_after(std::string_view text, std::size_t bytes) {
  const auto begins_character = [](char c) { return (c & 0xc0) != 0x80; };
  return 1 +
         static_cast<std::size_t>(std::ranges::count_if(text.substr(0, bytes), begins_character));
}

}  // namespace rules
