#pragma once
// A child process with which lines are exchanged, each with a deadline.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

// Words of a command line, split at spaces; a part in double quotes stays together. Throws
// InputError where it is empty or a quote is left open.
std::vector<std::string> split_command(std::string_view command);

// A child process. Its standard input and output are one socket, so that writing to a dead child is
// an error and not a signal; its error output is dropped. It is killed, with all that it started,
// when this object goes.
class EngineProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // Throws EnvironmentError where the program cannot be started.
  explicit EngineProcess(const std::string& command);
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // Sends the line and a newline; false where the child is gone or does not read until the
  // deadline.
  bool write_line(std::string_view line, Clock::time_point deadline);
  // The next line without its end; empty optional where the child is gone, sends a line without end
  // or nothing until the deadline.
  std::optional<std::string> read_line(Clock::time_point deadline);
  pid_t pid() const { return pid_; }

 private:
  // Waits until the socket is ready for `events`; false at the deadline.
  bool wait_for(short events, Clock::time_point deadline) const;

  pid_t pid_ = -1;
  int socket_ = -1;
  std::string received_;  // bytes that read_line() has not returned yet
};

}  // namespace arena
