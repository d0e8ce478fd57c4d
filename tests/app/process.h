#pragma once
// Runs the built program as a user would.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace app {

struct Finished {
  int code = -1;      // exit code, or 128 + the signal that ended it
  std::string out;    // stdout
  std::string error;  // stderr
  double seconds = 0;
};

// `sharpzero` with these arguments and this text on stdin.
Finished run(const std::vector<std::string>& arguments, const std::string& input = "");

// A started program that is still running; killed at the latest when this goes.
class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void write(const std::string& text);  // to its stdin
  void close_input();
  // Waits for a whole line on stdout that begins with `prefix` and returns it; empty on a timeout
  // or at the end of output.
  std::string wait_line(const std::string& prefix, std::chrono::seconds timeout);
  void signal(int number);
  // Waits for the end; the code as in Finished.
  int wait();

 private:
  int pid_ = -1;
  int input_ = -1, output_ = -1;
  std::string buffer_;
  bool waited_ = false;
};

// A folder of its own under the system's temporary one, removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file there and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

std::string read_file(const std::string& path);

}  // namespace app
