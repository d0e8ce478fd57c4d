#pragma once
// Text in parts, and numbers as text, the same in every locale.

#include <array>
#include <charconv>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace base {

// The parts of the text between separators, empty ones too: one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

// Reads the next line of a text of any system: without its end, be it LF or CR LF, and without the
// byte order mark of UTF-8 with which some editors begin a file. False at the end of the text.
bool read_line(std::istream& in, std::string& line);

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

// `text` as a whole number; otherwise an InputError that begins with `what`.
std::int64_t whole_number(const std::string& what, std::string_view text, std::int64_t low,
                          std::int64_t high);

// The shortest text that reads back as the same number.
template <class Number>
std::string shortest_text(Number value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace base
