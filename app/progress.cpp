#include "app/progress.h"

#include <unistd.h>

#include <iostream>

namespace app {

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) != 0), next_(Clock::now()) {}

Progress::~Progress() {
  if (shown_.exchange(false)) std::cerr << std::endl;
}

const char* Progress::erasure() { return shown_.exchange(false) ? "\r\x1b[K" : ""; }

void Progress::show(const std::string& text) {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10));
  shown_ = terminal_;
  if (terminal_) {
    std::cerr << '\r' << text << "\x1b[K" << std::flush;
  } else {
    std::cerr << text << std::endl;
  }
}

}  // namespace app
