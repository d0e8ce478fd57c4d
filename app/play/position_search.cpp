#include "app/play/position_search.h"

#include <exception>

namespace app {

PositionSearch::PositionSearch(engine::Engine& engine, const rules::Line& line,
                               const rules::ScoringTable& table,
                               const tactics::SearchLimits& limits)
    : engine_(engine) {
  engine_.set_position(line.position, table, line.past);
  engine_.start(limits, [this](const tactics::SearchReport& report) {
    {
      const std::lock_guard lock(mutex_);
      report_ = report;
      fresh_ = true;
    }
    changed_.notify_one();
  });
}

PositionSearch::~PositionSearch() {
  engine_.stop();
  try {
    engine_.wait();
  } catch (const std::exception&) {  // the report has said it
  }
}

std::optional<tactics::SearchReport> PositionSearch::take(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, time, [this] { return fresh_; })) return std::nullopt;
  fresh_ = false;
  return report_;
}

tactics::SearchReport PositionSearch::finish() {
  engine_.wait();
  const std::lock_guard lock(mutex_);
  return report_;
}

}  // namespace app
