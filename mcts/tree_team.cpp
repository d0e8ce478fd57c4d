#include "mcts/tree_team.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace mcts {
namespace {

constexpr std::uint64_t kMaxSettled = 256;  // in a batch: between two looks at who wants the tree
constexpr std::chrono::microseconds kBlockedPause{20};
constexpr std::chrono::milliseconds kIdlePause{1};
// What it costs to send a leaf to another core and back, in time of the thread that walks.
constexpr std::chrono::nanoseconds kHandover{300};

}  // namespace

Team::Team(Tree& tree, const RootPolicy& policy, EvaluationCache* cache, int threads, int batch,
           const std::atomic<bool>& stop)
    : tree_(tree),
      policy_(policy),
      stop_(stop),
      batch_(batch),
      count_(static_cast<std::size_t>(threads)),
      slots_(std::make_unique<Slot[]>(count_)) {
  for (Slot& slot : slots()) slot.batch.cache = cache;
}

void Team::work(Evaluator& evaluator) {
  while (!stop_) {
    if (evaluate_one(evaluator)) continue;
    if (enough_) break;
    if (!take_turn(evaluator)) std::this_thread::sleep_for(kBlockedPause);
  }
  while (evaluate_one(evaluator)) {
  }
  const std::lock_guard turn(turn_);
  apply_evaluated();
}

// Walks, where nobody else does. False where the way is blocked.
bool Team::take_turn(Evaluator& evaluator) {
  std::unique_lock turn(turn_, std::defer_lock);
  if (guests_ == 0 && turn.try_lock()) return walk(evaluator);
  if (keep_) {
    std::this_thread::sleep_for(kIdlePause);
  } else {
    std::this_thread::yield();
  }
  return true;
}

// Evaluates a batch, where one waits for it.
bool Team::evaluate_one(Evaluator& evaluator) {
  for (Slot& slot : slots()) {
    State collected = State::kCollected;
    if (slot.state.load(std::memory_order_relaxed) != collected ||
        !slot.state.compare_exchange_strong(collected, State::kTaken)) {
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    evaluator.evaluate(slot.batch);
    const auto took = std::chrono::steady_clock::now() - begin;
    const bool keep = took < kHandover * slot.batch.leaves.size();
    if (keep != keep_) keep_ = keep;
    slot.state = State::kEvaluated;
    return true;
  }
  return false;
}

// Backs up and collects until all batches wait for their evaluation, and evaluates those that are
// not worth handing over. False where nothing was done.
bool Team::walk(Evaluator& evaluator) {
  bool progress = false;
  for (bool more = true; more && !stop_ && !enough_ && guests_ == 0;) {
    more = apply_evaluated();
    for (Slot& slot : slots()) {
      if (slot.state.load(std::memory_order_relaxed) == State::kFree) more |= collect_into(slot);
      if (keep_) evaluate_one(evaluator);
      if (keep_ || guests_ > 0) break;
    }
    progress |= more;
  }
  return progress;
}

bool Team::apply_evaluated() {
  bool any = false;
  for (Slot& slot : slots()) {
    if (slot.state != State::kEvaluated) continue;
    slot.collector.apply(tree_, slot.batch, 0, slot.batch.leaves.size());
    slot.state = State::kFree;
    any = true;
  }
  return any;
}

// False where every way is blocked, or the root has enough.
bool Team::collect_into(Slot& slot) {
  if (tree_.needs_recycling()) {
    recycling_ = true;
    tree_.recycle(stop_);
    recycling_ = false;
  }
  slot.batch.clear();
  const Collector::Result result =
      slot.collector.collect(tree_, policy_, batch_, kMaxSettled, slot.batch);
  if (result.appended > 0) {
    slot.state = State::kCollected;
    return true;
  }
  if (result.end == WalkEnd::kEnough) enough_ = true;
  return result.end == WalkEnd::kSettled;
}

int Team::depth() const {
  int longest = 0;
  for (const Slot& slot : slots()) longest = std::max(longest, slot.collector.depth());
  return longest;
}

}  // namespace mcts
