#include "selfplay/generate.h"

#include <tbb/concurrent_queue.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include "nn/inference.h"

namespace selfplay {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(50);

WorkerStats operator+(WorkerStats a, const WorkerStats& b) {
  a.games += b.games;
  a.plies += b.plies;
  a.evaluations += b.evaluations;
  a.rounds += b.rounds;
  a.adjudicated += b.adjudicated;
  a.verdicts += b.verdicts;
  a.false_verdicts += b.false_verdicts;
  return a;
}

// One call of generate().
class Generation {
 public:
  Generation(std::span<const std::unique_ptr<SelfPlayWorker>> workers, GameStore& store,
             const GenerateOptions& options)
      : workers_(workers), store_(store), options_(options), errors_(workers.size() + 1) {}

  WorkerStats run() {
    std::vector<WorkerStats> stats(workers_.size());
    working_ = static_cast<int>(workers_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < workers_.size(); ++i) {
        threads.emplace_back([this, &stats, i] {
          guarded(i, [&] { stats[i] = work(i); });
          --working_;
        });
      }
      guarded(workers_.size(), [this] { attend(); });
    }
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
    store_finished();
    WorkerStats sum;
    for (const WorkerStats& one : stats) sum = sum + one;
    return sum;
  }

 private:
  // Runs f; what it throws is kept as error i and ends the generation.
  template <class F>
  void guarded(std::size_t i, F&& f) {
    try {
      f();
    } catch (...) {
      errors_[i] = std::current_exception();
      halt_ = true;
    }
  }

  WorkerStats work(std::size_t i) {
    nn::use_one_torch_thread();
    const auto evaluator = options_.evaluator();
    const auto count = static_cast<std::int64_t>(workers_.size());
    const bool takes_one_more = static_cast<std::int64_t>(i) < options_.games % count;
    const PlayLimit share{options_.plies / count + (options_.plies % count > 0 ? 1 : 0),
                          options_.games / count + (takes_one_more ? 1 : 0)};
    return workers_[i]->play(*evaluator, share, options_.generation, halt_,
                             [this](GameRecord game) { finished_.push(std::move(game)); });
  }

  // Stores what is finished, and asks whether to go on.
  void attend() {
    while (working_.load() > 0 && !halt_.load()) {
      std::this_thread::sleep_for(kPoll);
      store_finished();
      std::int64_t plies = 0;
      for (const auto& worker : workers_) plies += worker->plies_played();
      if (options_.halt && options_.halt(plies, stored_)) halt_ = true;
    }
  }

  void store_finished() {
    std::vector<GameRecord> games;
    for (GameRecord game; finished_.try_pop(game);) games.push_back(std::move(game));
    if (games.empty()) return;
    store_.append(games);
    stored_ += static_cast<std::int64_t>(games.size());
  }

  std::span<const std::unique_ptr<SelfPlayWorker>> workers_;
  GameStore& store_;
  const GenerateOptions& options_;
  std::atomic<bool> halt_ = false;
  std::atomic<int> working_ = 0;
  std::int64_t stored_ = 0;
  tbb::concurrent_queue<GameRecord> finished_;
  std::vector<std::exception_ptr> errors_;  // by worker, then the store's
};

}  // namespace

std::vector<std::unique_ptr<SelfPlayWorker>> make_workers(const WorkerSetup& setup, int count,
                                                          std::uint64_t seed) {
  std::vector<std::unique_ptr<SelfPlayWorker>> workers;
  for (int i = 0; i < count; ++i) {
    workers.push_back(std::make_unique<SelfPlayWorker>(
        setup, rules::Rng(seed).split(static_cast<std::uint64_t>(i))));
  }
  return workers;
}

WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers, GameStore& store,
                     const GenerateOptions& options) {
  return Generation(workers, store, options).run();
}

}  // namespace selfplay
