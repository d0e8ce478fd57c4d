#include "selfplay/generate.h"

#include <tbb/concurrent_queue.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "nn/inference.h"
#include "selfplay/threads.h"

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
      : workers_(workers), store_(store), options_(options) {}

  WorkerStats run() {
    std::vector<WorkerStats> stats(workers_.size());
    for (const auto& worker : workers_) worker->forget_plies();
    Threads threads;  // whose end is waited for before the stats', whatever is thrown
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      threads.start([this, &stats, i] { stats[i] = work(i); });
    }
    try {
      attend(threads);
    } catch (...) {
      halt_ = true;
      throw;
    }
    halt_ = true;
    threads.wait();
    store_finished();  // whatever befell a worker
    threads.rethrow();
    WorkerStats sum;
    for (const WorkerStats& one : stats) sum = sum + one;
    return sum;
  }

 private:
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

  // Stores what is finished, until all have played their share, one has failed, or `halt`.
  void attend(const Threads& threads) {
    for (bool go_on = true; go_on && threads.running() > 0 && !threads.failed();) {
      std::this_thread::sleep_for(kPoll);
      store_finished();
      std::int64_t plies = 0;
      for (const auto& worker : workers_) plies += worker->plies_played();
      go_on = !options_.halt || !options_.halt(plies, stored_);
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
  std::int64_t stored_ = 0;
  tbb::concurrent_queue<GameRecord> finished_;
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
