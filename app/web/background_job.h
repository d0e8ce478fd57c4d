#pragma once
// The one job of a kind that the page may have started: a `train`, or a study.

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace app {

// A program that runs in the background: the last line that it said, and its end.
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

// All functions may be called by any thread. When it goes, the job is stopped and waited for.
class BackgroundJob {
 public:
  // Throws a Refusal, status 409, where one runs. `about`: what describes it; its
  // "folder" is not told to visitors.
  void start(const std::vector<std::string>& words, const nlohmann::ordered_json& about);
  // Throws a Refusal, status 409, where none runs.
  void stop();
  // `about` with running, line (the last that it said) and code (its exit code; null while it
  // runs); null before the first.
  nlohmann::ordered_json described() const;
  // Whether it runs and about[key] is that value.
  bool is_running(const char* key, const std::string& value) const;

 private:
  mutable std::mutex mutex_;  // guards both
  std::unique_ptr<ChildProgram> program_;
  nlohmann::ordered_json about_;
};

}  // namespace app
