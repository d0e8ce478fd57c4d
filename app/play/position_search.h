#pragma once
// The search of one position for whoever looks at it: its reports, and what it comes to.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "app/play/board_view.h"
#include "engine/engine.h"
#include "rules/notation.h"
#include "rules/outcome.h"

namespace app {

// A search under way, owned by one thread. Ends at the end of the scope, however that comes.
class PositionSearch {
 public:
  // Starts it where the line has come to. `engine` is borrowed. Throws as its set_position() and
  // start() do.
  PositionSearch(engine::Engine& engine, const rules::Line& line, const rules::ScoringTable& table,
                 const tactics::SearchLimits& limits);
  PositionSearch(const PositionSearch&) = delete;
  PositionSearch& operator=(const PositionSearch&) = delete;
  ~PositionSearch();

  // The newest report that was not taken yet; empty where none comes in time.
  std::optional<tactics::SearchReport> take(std::chrono::milliseconds time);
  // Waits for the final report. Throws what ended the search.
  tactics::SearchReport finish();
  // Ends it soon. For any thread.
  void stop() { engine_.stop(); }

 private:
  engine::Engine& engine_;
  std::mutex mutex_;              // guards the next two
  tactics::SearchReport report_;  // the newest
  bool fresh_ = false;            // it was not taken yet
  std::condition_variable changed_;
};

// What a search says of the whole position.
inline Evaluation evaluation_of(const tactics::SearchReport& report) {
  return {report.points_white, report.best().outcomes};
}
// What an end of the game comes to.
inline Evaluation evaluation_of(rules::Outcome ended, const rules::ScoringTable& table) {
  return {table.white_points(ended), rules::certain(ended)};
}

}  // namespace app
