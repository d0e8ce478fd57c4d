#pragma once
// The analysis of many positions at once: requests are lines of JSON, and so are the answers.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/play/backends.h"
#include "app/play/position_search.h"
#include "app/protocols/analysis_request.h"

namespace app {

struct AnalysisSettings {
  AnalysisDefaults defaults;
  int threads = 1;
  int hash_mib = 64;          // of all threads together, for each rule set that is asked for
  bool keeps_memory = false;  // a search may use what the ones before it on its thread have found
};

// Each thread searches one position after the other, each on one thread as `uci --threads 1` does.
class Analysis {
 public:
  // The streams are borrowed. `load` is asked for the default network alone.
  Analysis(const AnalysisSettings& settings, LoadBackendFor load, std::istream& in,
           std::ostream& out);
  ~Analysis();

  // Answers until the end of the input, and then what was asked until there. Throws
  // base::EnvironmentError where the input cannot be read, or where searches have failed, which
  // their answers have said.
  void run();

  // For any thread. While the lock is held no answer is written; those before it are whole.
  std::unique_lock<std::mutex> hold_output() { return std::unique_lock(out_mutex_); }
  // Whether answers can no longer be written.
  bool output_lost() const { return output_lost_; }

 private:
  using Json = nlohmann::ordered_json;

  // A position that waits for a thread.
  struct Task {
    std::shared_ptr<const AnalysisRequest> request;
    AskedPosition asked;
  };
  // By priority, the greatest first, then by arrival.
  using Place = std::pair<int, std::uint64_t>;
  struct KeptEngine {
    Backends::Key key;
    std::shared_ptr<const Backend> backend;
    std::unique_ptr<engine::Engine> engine;  // after its backend: goes first
    std::uint64_t cleared = 0;               // clears_ when it last forgot
    bool used = false;
  };
  struct Worker {
    std::vector<KeptEngine> engines;  // the last used first
    // The mutex guards the rest.
    std::shared_ptr<const AnalysisRequest> request;  // under way; null: none
    PositionSearch* search = nullptr;
    bool terminated = false;
  };

  class UnderWay;

  void take_line(const std::string& line, long number);
  void enqueue(AnalysisRequest request);
  void act(const AnalysisAction& action);
  std::size_t terminate(const std::optional<std::string>& of);
  void work(Worker& self);
  std::optional<Task> next_task(Worker& self);
  Json answer(const Task& task, Worker& self);
  Json search(const Task& task, const rules::Line& line, Json head, Worker& self);
  KeptEngine& engine_for(rules::RuleSet rules, Worker& self);
  // Counts one of the request's positions as answered; after the last its id is free.
  void close(const AnalysisRequest& request);
  void say(const Json& json);

  const AnalysisSettings settings_;
  Backends backends_;
  std::istream& in_;
  std::ostream& out_;
  std::mutex out_mutex_;
  std::atomic<bool> output_lost_{false};
  std::atomic<std::uint64_t> clears_{0};  // that were asked for
  std::atomic<bool> told_of_memory_{false};

  std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  std::map<Place, Task> waiting_;
  std::uint64_t arrived_ = 0;
  std::map<std::string, std::size_t> open_;  // positions without an answer, by the request's id
  bool input_ended_ = false;
  std::string failure_;  // of the first search that failed; empty: none
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace app
