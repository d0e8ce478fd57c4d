#pragma once
// How long something takes.

#include <chrono>

namespace base {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
inline double ms_since(std::chrono::steady_clock::time_point begin) {
  return 1000 * seconds_since(begin);
}

}  // namespace base
