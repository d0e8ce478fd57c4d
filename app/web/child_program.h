#pragma once
// A program that runs in the background: the last line that it said, and its end.

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

// All functions may be called by any thread.
class ChildProgram {
 public:
  // Starts it. Throws base::EnvironmentError where that fails.
  explicit ChildProgram(const std::vector<std::string>& words);
  // Stops it and waits for its end.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  // Asks it to save what it has and to end, as Ctrl-C does. Asked twice, it ends at once.
  void stop();
  // The exit code, or 128 + the signal that ended it; empty while it runs.
  std::optional<int> code() const;
  bool is_running() const { return !code(); }
  // The last line of its output or error output, at most 300 bytes.
  std::string last_line() const;

 private:
  void listen(int output);

  pid_t pid_ = -1;
  mutable std::mutex mutex_;  // guards the next three
  bool asked_ = false;        // to stop
  std::string last_line_;
  std::optional<int> code_;
  std::jthread listener_;
};

}  // namespace app
