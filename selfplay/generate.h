#pragma once
// Runs workers on threads of their own and stores their finished games.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mcts/evaluator.h"
#include "selfplay/game_store.h"
#include "selfplay/worker.h"

namespace selfplay {

// Makes at most `count` workers for the seats of one run, whose random stream is the seed's: the
// games do not depend on the number of workers. The setup's tablebase is loaded for all of them.
// Throws as tablebase::load().
std::vector<std::unique_ptr<SelfPlayWorker>> make_workers(const WorkerSetup& setup, int count,
                                                          std::uint64_t seed);

struct GenerateOptions {
  PlayLimit limit;
  int generation = 0;
  // Called on each worker's thread for the worker's evaluator.
  std::function<std::shared_ptr<mcts::Evaluator>()> evaluator;
  // Asked every 50 ms, with what was played and finished so far: true ends the call after the
  // batches in flight. May be empty.
  std::function<bool(std::int64_t plies, std::int64_t games)> halt;
  // Games are stored every 50 ms, in the order in which they end, which depends on time.
  bool store_at_once = false;
};

// Takes finished games.
using GameSink = std::function<void(std::span<const GameRecord>)>;

// Plays on one thread for each worker until all have reached the limit, or `halt`. Finished games
// go to `store`, called on the calling thread, in the order of their numbers (unless they are
// stored at once): with a limit of games as soon as those before them have, else at the end.
// Returns the sums over the workers. Throws what a worker or `store` throws after all threads have
// ended; games finished until then are stored, unless `store` failed.
WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers,
                     const GameSink& store, const GenerateOptions& options);
inline WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers,
                            GameStore& store, const GenerateOptions& options) {
  const auto append = [&store](std::span<const GameRecord> games) { store.append(games); };
  return generate(workers, append, options);
}

}  // namespace selfplay
