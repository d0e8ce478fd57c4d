#pragma once

#include <atomic>
#include <chrono>
#include <string>

namespace app {

// Progress on stderr: a line that is rewritten on a terminal, elsewhere a plain line every ten
// seconds. One object and one thread at a time.
class Progress {
 public:
  Progress();
  // Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& text);

  // What a line of the log begins with, so that it takes the place of a line that is shown on the
  // terminal, which the next show() writes again below; empty where none is. Any thread.
  static const char* erasure();

 private:
  using Clock = std::chrono::steady_clock;
  static inline std::atomic<bool> shown_ = false;  // the line stands on the terminal
  bool terminal_;
  Clock::time_point next_;
};

}  // namespace app
