#pragma once
// Runs the built program as a user would.

#include <chrono>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>
#include <semaphore>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"

namespace app {

struct Finished {
  int code = -1;      // exit code, or 128 + the signal that ended it
  std::string out;    // stdout
  std::string error;  // stderr
  double seconds = 0;
};

// `sharpzero` with these arguments and this text on stdin.
Finished run(const std::vector<std::string>& arguments, const std::string& input = "");

// Any program, found in PATH, in the same way.
Finished run_program(const std::vector<std::string>& words, const std::string& input = "");

// What a started program's input and output are.
enum class Ends { kPipes, kTerminal };

// A started `sharpzero` that is still running; killed at the latest when this goes. In a terminal
// it sees UTF-8 and 256 colours, and its error output comes out with the rest.
class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments, Ends ends = Ends::kPipes);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void write(const std::string& text);  // to its stdin
  void close_input();
  // Waits for a whole line on stdout that begins with `prefix` and returns it; empty on a timeout
  // or at the end of output.
  std::string wait_line(const std::string& prefix, std::chrono::seconds timeout);
  // All of stdout up to and with `text`, from where the last call ended; empty as above.
  std::string wait_text(const std::string& text, std::chrono::seconds timeout);
  void signal(int number);
  int pid() const { return pid_; }
  // Waits until the program catches that signal; false on a timeout.
  bool wait_until_caught(int number, std::chrono::seconds timeout) const;
  // Waits for the end; the code as in Finished.
  int wait();
  bool ended_by_signal() const { return ended_by_signal_; }  // known after wait()

 private:
  void start_on_pipes(const std::vector<std::string>& words);
  void start_on_terminal(const std::vector<std::string>& words);
  // More of stdout into the buffer; false at the deadline or the end.
  bool read_more(std::chrono::steady_clock::time_point deadline);

  int pid_ = -1;
  int input_ = -1, output_ = -1;
  std::string buffer_;
  bool waited_ = false, ended_by_signal_ = false;
};

// The UCI engine as a chess program talks to it: it waits for the search by reading bestmove.
class Conversation {
 public:
  Conversation() : engine_({"uci", "--threads", "1"}) {}
  void say(const std::string& line) { engine_.write(line + "\n"); }
  std::string wait(const std::string& prefix) {
    return engine_.wait_line(prefix, std::chrono::seconds(60));
  }
  int end() {
    engine_.close_input();
    return engine_.wait();
  }

 private:
  Running engine_;
};

// Checks that may run at the same time, two at once. The destructor waits for them.
class SideBySide {
 public:
  ~SideBySide();
  void add(std::function<void()> check);

 private:
  std::counting_semaphore<> free_{2};
  std::vector<std::future<void>> checks_;
};

std::string read_file(const std::string& path);

// The whole lines of a run's metrics.jsonl. Throws where one is no JSON.
std::vector<nlohmann::json> metrics_of(const std::string& run_folder);

}  // namespace app
