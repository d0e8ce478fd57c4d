#pragma once
// What an engine is asked and what it says, however it searches.

#include <functional>

#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tactics/search_limits.h"
#include "tactics/search_report.h"

namespace engine {

// Owned and called by one thread; reports come from another.
class Engine {
 public:
  using Listener = std::function<void(const tactics::SearchReport&)>;

  virtual ~Engine() = default;  // stops

  // The position to search next, and the past of the game that has come to it. REQUIRES: not
  // running. Throws std::invalid_argument where the position has a forced_outcome(): an end that
  // players may claim and have not is none.
  virtual void set_position(const rules::Position& root, const rules::ScoringTable& table,
                            const rules::History& past) = 0;
  // The MiB that the table, or the tree, may take: fewer than asked for where memory is short.
  virtual int hash_mib() const = 0;
  // Forgets what is known. REQUIRES: not running.
  virtual void clear() = 0;
  // Begins a search in the background. The listener is told of progress (at most every 100 ms but
  // once a second) and, once, of the end. Throws std::system_error where the machine has no thread
  // for it. REQUIRES: a position is set, not running.
  virtual void start(const tactics::SearchLimits& limits, Listener listener) = 0;
  // Ends the search as soon as possible. Does not wait. May be called by any thread.
  virtual void stop() = 0;
  // The move pondered on was played.
  virtual void ponder_hit() = 0;
  // Returns when the final report has been given.
  virtual void wait() = 0;
  virtual bool running() const = 0;
};

}  // namespace engine
