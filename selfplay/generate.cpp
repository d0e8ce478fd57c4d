#include "selfplay/generate.h"

#include <tbb/concurrent_queue.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "base/threads.h"
#include "nn/inference.h"
#include "nn/torch_threads.h"

namespace selfplay {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(50);

// One call of generate().
class Generation {
 public:
  Generation(std::span<const std::unique_ptr<SelfPlayWorker>> workers, const GameSink& store,
             const GenerateOptions& options)
      : workers_(workers), store_(store), options_(options) {}

  WorkerStats run() {
    std::vector<WorkerStats> stats(workers_.size());
    for (const auto& worker : workers_) worker->forget_plies();
    base::Threads threads;  // the last: waits for the threads, whatever is thrown
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      threads.start([this, &stats, i] { stats[i] = work(i); });
    }
    try {
      store_until_end(threads);
    } catch (...) {
      halt_ = true;
      throw;
    }
    halt_ = true;
    threads.wait();
    take_finished();
    store_until(waiting_.end());  // also where a worker failed
    threads.rethrow();
    WorkerStats sum;
    for (const WorkerStats& one : stats) sum += one;
    return sum;
  }

 private:
  WorkerStats work(std::size_t i) {
    nn::use_one_torch_thread();
    const auto evaluator = options_.evaluator();
    return workers_[i]->play(*evaluator, options_.limit, options_.generation, halt_,
                             [this](std::int64_t number, GameRecord game) {
                               finished_.push({number, std::move(game)});
                             });
  }

  // Stores finished games until all workers have ended, one has failed, or `halt`.
  void store_until_end(const base::Threads& threads) {
    for (bool go_on = true; go_on && threads.running() > 0 && !threads.failed();) {
      std::this_thread::sleep_for(kPoll);
      take_finished();
      store_in_order();
      std::int64_t plies = 0;
      for (const auto& worker : workers_) plies += worker->plies_played();
      const auto games = stored_ + std::ssize(waiting_);
      go_on = !options_.halt || !options_.halt(plies, games);
    }
  }

  void take_finished() {
    for (Finished game; finished_.try_pop(game);) waiting_.insert(std::move(game));
  }
  // Stores the games before which none is missing, which is known where all numbers are played; all
  // where the order does not matter.
  void store_in_order() {
    if (options_.store_at_once) return store_until(waiting_.end());
    if (options_.limit.games == PlayLimit{}.games) return;
    auto end = waiting_.begin();
    for (std::int64_t next = stored_; end != waiting_.end() && end->first == next; ++next) ++end;
    store_until(end);
  }
  void store_until(std::map<std::int64_t, GameRecord>::iterator end) {
    std::vector<GameRecord> games;
    for (auto at = waiting_.begin(); at != end; ++at) games.push_back(std::move(at->second));
    waiting_.erase(waiting_.begin(), end);
    if (games.empty()) return;
    store_(games);
    stored_ += std::ssize(games);
  }

  using Finished = std::pair<std::int64_t, GameRecord>;  // its number first
  std::span<const std::unique_ptr<SelfPlayWorker>> workers_;
  const GameSink& store_;
  const GenerateOptions& options_;
  std::atomic<bool> halt_ = false;
  std::int64_t stored_ = 0;
  tbb::concurrent_queue<Finished> finished_;
  std::map<std::int64_t, GameRecord> waiting_;  // finished games that are not stored yet, by number
};

}  // namespace

std::vector<std::unique_ptr<SelfPlayWorker>> make_workers(const WorkerSetup& setup, int count,
                                                          std::uint64_t seed) {
  WorkerSetup all = setup;
  all.tablebase = tablebase::load(setup.config.tablebase, setup.repertoire.first(), setup.table);
  std::vector<std::unique_ptr<SelfPlayWorker>> workers;
  const int step = std::clamp(count, 1, setup.config.games);
  for (int first = 0; first < step; ++first) {
    workers.push_back(
        std::make_unique<SelfPlayWorker>(all, base::Rng(seed), SelfPlayWorker::Seats{first, step}));
  }
  return workers;
}

WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers,
                     const GameSink& store, const GenerateOptions& options) {
  return Generation(workers, store, options).run();
}

}  // namespace selfplay
