#pragma once
// What an engine is asked and what it says, however it searches.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mcts/root_report.h"
#include "mcts/time_control.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace mcts {

// What ends a search; the first that holds. None set: only stop() does.
struct AnalysisLimits {
  // Visits of the root, those of a kept subtree included (tree search), or positions searched
  // (alpha-beta); 0 = no limit.
  std::uint32_t nodes = 0;
  // Plies of the main line, or fewer after 10,000 visits where the line's end is exact (tree
  // search), or the iteration (alpha-beta); 0 = no limit.
  int depth = 0;
  std::optional<double> move_time_ms{};
  std::optional<Clock> clock{};
  bool infinite = false;  // until stop(), even when the root is proven
  // As infinite until ponder_hit(); from then on the other limits hold, and time counts.
  bool ponder = false;
  int multi_pv = 1;                         // lines that are reported
  std::vector<rules::Move> search_moves{};  // only these; empty = all
};

struct AnalysisReport {
  bool final = false;  // the last of this search
  int depth = 0;       // as in AnalysisLimits
  int selective_depth = 0;
  double elapsed_ms = 0;
  std::uint32_t nodes = 0;      // as in AnalysisLimits
  double nodes_per_s = 0;       // without the visits of a kept subtree
  std::vector<RootMove> moves;  // best first: every legal move, or the search_moves
  double points_white = 5;      // the first move's value_stm as White's points
  rules::Outcomes outcomes{};   // the first move's
  int threads = 1;              // as asked for, or fewer where the machine has no more
  std::string error;            // message of the exception that ended the search; empty: none
};

// Owned and called by one thread; reports come from another.
class Engine {
 public:
  using Listener = std::function<void(const AnalysisReport&)>;

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
  virtual void start(const AnalysisLimits& limits, Listener listener) = 0;
  // Ends the search as soon as possible. Does not wait. May be called by any thread.
  virtual void stop() = 0;
  // The move pondered on was played.
  virtual void ponder_hit() = 0;
  // Returns when the final report has been given.
  virtual void wait() = 0;
  virtual bool running() const = 0;
};

}  // namespace mcts
