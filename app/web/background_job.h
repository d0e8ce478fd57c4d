#pragma once
// The one job of a kind that the page may have started: a `train`, or a study.

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/web/child_program.h"

namespace app {

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
