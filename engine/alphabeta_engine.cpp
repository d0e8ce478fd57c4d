#include "engine/alphabeta_engine.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/known_ending.h"

namespace engine {

AlphaBetaEngine::AlphaBetaEngine(std::shared_ptr<const tactics::NnueWeights> weights,
                                 const EngineOptions& options)
    : move_overhead_ms_(options.move_overhead_ms),
      tablebase_(options.tablebase),
      search_(tactics::Evaluator(std::move(weights)), options.threads, options.hash_mib) {
  search_.set_tablebase(tablebase_.get());
}

void AlphaBetaEngine::set_position(const rules::Position& root, const rules::ScoringTable& table,
                                   const rules::History& past) {
  if (root.forced_outcome(table)) throw std::invalid_argument("the game is over");
  root_ = root;
  table_ = table;
  past_ = past;
}

void AlphaBetaEngine::start(const tactics::SearchLimits& asked, Listener listener) {
  if (thread_.joinable()) thread_.join();
  error_ = nullptr;
  stop_ = false;
  ponder_ = asked.ponder;
  running_ = true;
  tactics::SearchLimits limits = asked;
  if (limits.move_time_ms) {
    limits.move_time_ms = std::max(1.0, *limits.move_time_ms - move_overhead_ms_);
  }
  tactics::SearchControl control{&stop_, &ponder_};
  if (asked.clock) control.clock = allot(*asked.clock, 0, move_overhead_ms_);
  try {
    thread_ = std::jthread([this, limits, control, listener = std::move(listener)] {
      search(limits, control, listener);
      running_ = false;
    });
  } catch (...) {
    running_ = false;
    throw;
  }
}

void AlphaBetaEngine::wait() {
  if (thread_.joinable()) thread_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void AlphaBetaEngine::search(const tactics::SearchLimits& limits,
                             const tactics::SearchControl& control, const Listener& listener) {
  tactics::SearchReport last;
  double told_ms = -1000;
  const auto tell = [&](const tactics::SearchReport& found) {
    last = found;
    if (!found.final && found.elapsed_ms - told_ms < 100) return;
    told_ms = found.elapsed_ms;
    if (listener) listener(found);
  };
  try {
    if (auto known = known_ending(tablebase_.get(), root_, table_, past_, limits)) {
      const auto waits = [&] { return !stop_ && (limits.infinite || ponder_); };
      return tell_known(std::move(*known), listener, waits);
    }
    search_.search(root_, table_, past_, limits, tell, control);
  } catch (...) {
    error_ = std::current_exception();
    report_failure(listener, std::move(last), root_, limits, error_);
  }
}

}  // namespace engine
