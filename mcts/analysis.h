#pragma once
// Play and analysis: several threads search one tree until told to stop.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/root_move.h"
#include "mcts/search_config.h"
#include "mcts/time_control.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace mcts {

// What ends a search; the first that holds. None set: only stop() does.
struct AnalysisLimits {
  std::uint32_t nodes = 0;  // visits of the root, those of a kept subtree counted in; 0 = no limit
  int depth = 0;  // plies of the main line, or fewer where how the game ends behind it is known
                  // after 10,000 visits; 0 = no limit
  std::optional<double> move_time_ms{};
  std::optional<Clock> clock{};
  bool infinite = false;  // go on, even when all is proven, until stop()
  bool ponder =
      false;  // as infinite, until ponder_hit(); then the others hold, time counted from there
  int multi_pv = 1;                         // so many lines are to be told apart
  std::vector<rules::Move> search_moves{};  // only these; empty = all
};

struct AnalysisReport {
  bool final = false;  // the last of this search
  int depth = 0;       // plies of the main line
  int selective_depth = 0;
  double elapsed_ms = 0;
  std::uint32_t nodes = 0;      // visits of the root
  double nodes_per_s = 0;       // of this search's own visits
  std::vector<RootMove> moves;  // best first: every legal move, or the search_moves
  double points_white = 5;      // of the root: what the first move's value_stm says
  std::array<float, rules::kOutcomes> outcomes{};  // of the first move
  std::string error;  // what an evaluator threw, which ended the search; empty: nothing
};

struct AnalysisOptions {
  SearchConfig search = SearchConfig{}.for_play();
  int threads = 1;
  int batch = 1;  // leaves that a thread evaluates together
  double move_overhead_ms = 20;
};

// Owned and called by one thread; reports come from another. No noise and no temperature: with one
// thread and a limit of nodes the result depends on nothing else.
class Analysis {
 public:
  using EvaluatorFactory = std::function<std::unique_ptr<Evaluator>()>;
  using Listener = std::function<void(const AnalysisReport&)>;

  // Makes an evaluator for each thread; all give the same answers.
  Analysis(const AnalysisOptions& options, const EvaluatorFactory& make_evaluator);
  // Stops.
  ~Analysis();

  // The position to search next, and the past of the game that has come to it. What is known of it
  // from the last search is kept where it lies at most two plies on in the same game and the table
  // is the same. REQUIRES: not running. Throws std::invalid_argument where the game is over.
  void set_position(const rules::Position& root, const rules::ScoringTable& table,
                    const rules::History& past = {});
  // Forgets what is known. REQUIRES: not running.
  void clear();
  // Begins a search in the background. The listener is told of progress (at most every 100 ms but
  // once a second) and, once, of the end. REQUIRES: a position is set, not running.
  void start(const AnalysisLimits& limits, Listener listener);
  // Ends the search as soon as the evaluations under way are back. Does not wait. May be called by
  // any thread.
  void stop();
  // The move pondered on was played.
  void ponder_hit();
  // Returns when the final report has been given. Rethrows what an evaluator threw; the report then
  // says what was known until there.
  void wait();
  bool running() const;
  // In use by the tree. REQUIRES: not running.
  std::size_t memory_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mcts
