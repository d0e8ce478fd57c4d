#pragma once
// What an engine is asked and what it says, however it searches.

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "tablebase/tables.h"
#include "tactics/search_limits.h"
#include "tactics/search_report.h"

namespace engine {

inline constexpr int kMostLines = 500;  // that a user may ask for: SearchLimits::multi_pv

struct EngineOptions {
  int threads = 1;
  int hash_mib = 1024;  // of the table or the tree; less where memory is short
  double move_overhead_ms = 20;
  std::shared_ptr<const tablebase::Tables> tablebase{};  // of the engine's rules; null: none
};

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
  // Begins a search in the background. The listener is told of progress, at most every 100 ms, and
  // of the end: once, unless it throws then. Throws std::system_error where the machine has no
  // thread for it. REQUIRES: a position is set, not running.
  virtual void start(const tactics::SearchLimits& limits, Listener listener) = 0;
  // Ends the search as soon as possible. Does not wait. May be called by any thread.
  virtual void stop() = 0;
  // The move pondered on was played.
  virtual void ponder_hit() = 0;
  // Returns when the final report has been given. Rethrows what ended the search: the report then
  // says what was known until there.
  virtual void wait() = 0;
  virtual bool running() const = 0;
};

std::string message_of(const std::exception_ptr& thrown);

// The move of who has not searched: the first asked for, else the first that keeps the king, else
// any. REQUIRES: there is a legal move.
rules::Move unsearched_move(const rules::Position& root, const tactics::SearchLimits& limits);

// Gives the final report of a search that `thrown` has ended: what was `known`, or an
// unsearched_move(). What the listener throws is lost.
void report_failure(const Engine::Listener& listener, tactics::SearchReport known,
                    const rules::Position& root, const tactics::SearchLimits& limits,
                    const std::exception_ptr& thrown) noexcept;

// Shares the clock out over the moves to come. `plies_left` is the search's guess at the game's
// remaining length, 0 if it has none; `overhead_ms` is lost between the program and the clock. Both
// budgets are at least 1 ms.
tactics::TimeBudget allot(const tactics::Clock& clock, double plies_left, double overhead_ms);

}  // namespace engine
