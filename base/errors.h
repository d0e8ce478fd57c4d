#pragma once
// The two ways in which the world outside can fail us. Messages are one line: what, where,
// expected.

#include <algorithm>
#include <stdexcept>
#include <string>

namespace base {

// The same with spaces for control characters: what a file holds may end up in a message.
inline std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

// A message without what follows its first line, such as LibTorch's stack trace.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Named input that is missing, damaged, of another version or out of range (exit code 2).
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(one_line(message)) {}
};

// The machine does not give what is needed: disk full, folder read-only, no such engine (exit code
// 3).
class EnvironmentError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace base
