#pragma once
// The two ways in which the world outside can fail us. Messages are one line: what, where,
// expected.

#include <stdexcept>

namespace selfplay {

// Named input that is missing, damaged, of another version or out of range (exit code 2).
class InputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The machine does not give what is needed: disk full, folder read-only, no such engine (exit code
// 3).
class EnvironmentError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace selfplay
