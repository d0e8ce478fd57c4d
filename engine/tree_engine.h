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
#include <thread>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "mcts/evaluation_cache.h"
#include "mcts/evaluator.h"
#include "mcts/root_policy.h"
#include "mcts/root_report.h"
#include "mcts/search_config.h"
#include "mcts/tree.h"
#include "mcts/tree_team.h"
#include "rules/history.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace engine {

// Several threads search one tree. No noise and no temperature: with one thread and a limit of
// nodes the result depends on nothing else.
class TreeEngine final : public Engine {
 public:
  using EvaluatorFactory = std::function<std::unique_ptr<mcts::Evaluator>()>;

  // Makes an evaluator for each thread; all give the same answers. A thread evaluates `batch`
  // leaves together. The tree's size is that of the options.
  TreeEngine(const EngineOptions& options, const EvaluatorFactory& make_evaluator, int batch = 1,
             const mcts::SearchConfig& search = mcts::SearchConfig{}.for_play());
  ~TreeEngine() override { stop(); }  // controller_ joins

  // What is known from the last search is kept where the position lies at most two plies on in the
  // same game and the table is the same.
  void set_position(const rules::Position& root, const rules::ScoringTable& table,
                    const rules::History& past = {}) override;
  int hash_mib() const override { return memory_.mib(); }
  void clear() override {
    tree_.reset();
    cache_.clear();
  }
  void start(const tactics::SearchLimits& limits, Listener listener) override;
  // The evaluations under way are waited for.
  void stop() override;
  void ponder_hit() override;
  void wait() override;
  bool running() const override { return running_; }
  // In use by the tree. REQUIRES: not running.
  std::size_t memory_bytes() const { return tree_ ? tree_->used_bytes() : 0; }

 private:
  using SteadyClock = std::chrono::steady_clock;

  void forget_tree() {
    tree_->forget();
    policy_.forget();
  }
  void control();
  bool control_known();
  void expand_root();
  void start_workers(std::vector<std::jthread>& workers);
  void work(mcts::Evaluator& evaluator);
  bool wake(std::unique_lock<std::mutex>& lock);
  bool out_of_time();
  bool settled_on_a_move(double remaining_ms);
  bool deep_enough();
  void report(bool final);
  bool waiting_for_stop() const { return limits_.infinite || pondering_; }

  const EngineOptions options_;  // its tablebase outlives the tree
  const int batch_;
  const base::MemoryClaim memory_;  // of the tree
  mcts::SearchConfig search_;
  std::vector<std::unique_ptr<mcts::Evaluator>> evaluators_;  // one a thread
  mcts::EvaluationCache cache_;  // shared by all evaluators, which are of one kind
  std::unique_ptr<mcts::Tree> tree_;
  std::optional<mcts::Team> team_;  // walks tree_ and uses cache_ while it searches; paused
                                    // after mutex_ is taken by whoever needs both
  mcts::RootPolicy policy_;
  base::Rng rng_;  // asked for by prepare(), never drawn from

  // One search.
  tactics::SearchLimits limits_;
  Listener listener_;
  bool restricted_ = false;        // the last search was of some moves alone
  SteadyClock::time_point began_;  // from when time counts: ponder_hit() or start()
  SteadyClock::time_point started_;
  std::uint32_t visits_before_ = 0;
  int threads_ = 1;  // that search
  tactics::TimeBudget budget_;
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

}  // namespace engine
