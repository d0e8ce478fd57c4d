#pragma once

#include <chrono>
#include <string>

namespace app {

// Progress on stderr: a line that is rewritten on a terminal, elsewhere a plain line every ten
// seconds. One thread at a time.
class Progress {
 public:
  Progress();
  // Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace app
