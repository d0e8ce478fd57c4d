#pragma once
// Threads that search one tree together.

#include <tbb/spin_mutex.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "mcts/collector.h"
#include "mcts/evaluator.h"
#include "mcts/root_policy.h"
#include "mcts/tree.h"

namespace mcts {

// One thread at a time walks the tree and backs up, for all of them; the others evaluate what it
// has collected. It goes on as long as there is something to collect or back up, for a tree that
// goes from one core's cache to the other's at every batch costs more than its walks. Where
// evaluations are slow that is seldom, and each thread ends up with a batch of its own;
// where they take less than the way to another core, the one that walks makes them itself. No more
// batches are under way than there are threads.
class Team {
 public:
  // Tree, policy, cache (null: none) and `stop` outlive the team. REQUIRES: the root is expanded or
  // proven.
  Team(Tree& tree, const RootPolicy& policy, EvaluationCache* cache, int threads, int batch,
       const std::atomic<bool>& stop);

  // Searches as one of the threads until there is nothing left to search, or `stop`; finishes what
  // is under way. After an exception (the evaluator's) walks stay in flight.
  void work(Evaluator& evaluator);

  // Nobody walks the tree while it is held. For those outside the team. Not held where the tree is
  // being recycled, which would take too long to wait for.
  class Pause {
   public:
    explicit Pause(Team& team) : team_(team), turn_(team.turn_, std::defer_lock) {
      ++team_.guests_;
      while (!turn_.try_lock() && !team_.recycling_) std::this_thread::yield();
    }
    ~Pause() { --team_.guests_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

    bool held() const { return turn_.owns_lock(); }

   private:
    Team& team_;
    std::unique_lock<tbb::spin_mutex> turn_;
  };

  // Length of the longest walk. REQUIRES: held, or no thread at work.
  int depth() const;

 private:
  enum class State : std::uint8_t { kFree, kCollected, kTaken, kEvaluated };
  struct alignas(64) Slot {
    Collector collector;
    LeafBatch batch;
    std::atomic<State> state{State::kFree};
  };

  std::span<Slot> slots() const { return {slots_.get(), count_}; }
  bool take_turn(Evaluator& evaluator);
  bool evaluate_one(Evaluator& evaluator);
  bool walk(Evaluator& evaluator);
  bool apply_evaluated();
  bool collect_into(Slot& slot);

  Tree& tree_;
  const RootPolicy& policy_;
  const std::atomic<bool>& stop_;
  int batch_;
  std::size_t count_;
  std::unique_ptr<Slot[]> slots_;
  tbb::spin_mutex turn_;
  std::atomic<int> guests_{0};
  std::atomic<bool> enough_{false};
  std::atomic<bool> keep_{false};  // evaluations are not worth handing over
  std::atomic<bool> recycling_{false};
};

}  // namespace mcts
