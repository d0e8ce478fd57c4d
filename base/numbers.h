#pragma once
// Numbers as text, the same in every locale.

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace base {

// What the whole of `text` says; empty where it is no number, or one that Number cannot hold.
// Takes no spaces and no plus sign; "inf" and "nan" are floating-point numbers.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// The shortest text that reads back as the same number.
template <class Number>
std::string shortest_text(Number value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace base
