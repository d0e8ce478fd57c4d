#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rules {

// A refused input. The message names the field, its value and what was expected, on one line, and
// the column where that is known: "FEN side to move 'x': expected w or b (column 44)".
class RulesError : public std::runtime_error {
 public:
  explicit RulesError(const std::string& message) : std::runtime_error(message) {}
  // `column`: where in its text the refused part begins, in characters, the first being 1.
  RulesError(const std::string& message, std::size_t column)
      : std::runtime_error(message + " (column " + std::to_string(column) + ")"),
        bare_size_(message.size()),
        column_(column) {}

  // The message without the column, for who names the place himself.
  std::string bare() const { return std::string(what()).substr(0, bare_size_); }
  // 0: not known.
  std::size_t column() const { return column_; }

 private:
  std::size_t bare_size_ = std::string::npos;
  std::size_t column_ = 0;
};

// `text` fit for a message: bytes that do not print as \xNN.
std::string printable(std::string_view text);
// The same in single quotes, cut after 40 bytes.
std::string quoted(std::string_view text);

// The one form of every refusal: "FIELD 'VALUE': expected EXPECTATION".
std::string refusal(std::string_view field, std::string_view value, std::string_view expectation);
[[noreturn]] void refuse(std::string_view field, std::string_view value,
                         std::string_view expectation);

// The column in a text of UTF-8 that begins after this many bytes.
std::size_t column_after(std::string_view text, std::size_t bytes);

}  // namespace rules
