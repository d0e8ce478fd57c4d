#pragma once
// Play and analysis: several threads search one tree until told to stop.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "mcts/evaluation_cache.h"
#include "mcts/evaluator.h"
#include "mcts/root_policy.h"
#include "mcts/root_report.h"
#include "mcts/search_config.h"
#include "mcts/team.h"
#include "mcts/time_control.h"
#include "mcts/tree.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace mcts {

// What ends a search; the first that holds. None set: only stop() does.
struct AnalysisLimits {
  std::uint32_t nodes = 0;  // visits of the root, those of a kept subtree included; 0 = no limit
  // Plies of the main line, or fewer after 10,000 visits where the line's end is exact; 0 = no
  // limit.
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
  int depth = 0;       // plies of the main line
  int selective_depth = 0;
  double elapsed_ms = 0;
  std::uint32_t nodes = 0;      // visits of the root
  double nodes_per_s = 0;       // without the visits of a kept subtree
  std::vector<RootMove> moves;  // best first: every legal move, or the search_moves
  double points_white = 5;      // the first move's value_stm as White's points
  rules::Outcomes outcomes{};   // the first move's
  std::string error;            // message of the exception that ended the search; empty: none
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
  ~Analysis() { stop(); }  // controller_ joins

  // The position to search next, and the past of the game that has come to it. What is known of it
  // from the last search is kept where it lies at most two plies on in the same game and the table
  // is the same. REQUIRES: not running. Throws std::invalid_argument where the game is over.
  void set_position(const rules::Position& root, const rules::ScoringTable& table,
                    const rules::History& past = {});
  // Forgets what is known. REQUIRES: not running.
  void clear() {
    tree_.reset();
    cache_.clear();
  }
  // Starts a search in the background. The listener is told of progress (at most every 100 ms but
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
  bool running() const { return running_; }
  // In use by the tree. REQUIRES: not running.
  std::size_t memory_bytes() const { return tree_ ? tree_->used_bytes() : 0; }

 private:
  using SteadyClock = std::chrono::steady_clock;

  void forget_tree() {
    tree_->forget();
    policy_.forget();
  }
  void control();
  void expand_root();
  void work(Evaluator& evaluator);
  bool wake(std::unique_lock<std::mutex>& lock);
  bool out_of_time();
  bool settled_on_a_move(double remaining_ms);
  bool deep_enough();
  void report(bool final);
  double elapsed_ms() const;
  bool waiting_for_stop() const { return limits_.infinite || pondering_; }

  AnalysisOptions options_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // one a thread
  EvaluationCache cache_;  // shared by all evaluators, which are of one kind
  std::unique_ptr<Tree> tree_;
  std::optional<Team> team_;  // walks tree_ and uses cache_ while it searches; paused
                              // after mutex_ is taken by whoever needs both
  RootPolicy policy_;
  base::Rng rng_;  // asked for by prepare(), never drawn from

  // One search.
  AnalysisLimits limits_;
  Listener listener_;
  bool restricted_ = false;        // the last search was of some moves alone
  SteadyClock::time_point began_;  // from when time counts: ponder_hit() or start()
  SteadyClock::time_point started_;
  std::uint32_t visits_before_ = 0;
  TimeBudget budget_;
  SteadyClock::time_point reported_;
  std::pair<rules::Move, std::size_t> told_;  // best move and depth of the last report

  std::atomic<bool> running_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<int> active_{0};  // workers not finished
  std::mutex mutex_;            // guards the next two
  bool pondering_ = false;
  std::exception_ptr error_;
  std::condition_variable changed_;
  std::jthread controller_;
};

}  // namespace mcts
