#pragma once
// Workers on threads of their own, their finished games in a store.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "mcts/evaluator.h"
#include "selfplay/game_store.h"
#include "selfplay/worker.h"

namespace selfplay {

// Worker i has the i-th stream of the seed.
std::vector<std::unique_ptr<SelfPlayWorker>> make_workers(const WorkerSetup& setup, int count,
                                                          std::uint64_t seed);

struct GenerateOptions {
  // Limits as of PlayLimit for all workers together, shared evenly: what is stored does not depend
  // on which worker is faster.
  std::int64_t plies = PlayLimit{}.plies;
  std::int64_t games = PlayLimit{}.games;
  int generation = 0;
  // Makes a worker's evaluator, on the worker's thread.
  std::function<std::unique_ptr<mcts::Evaluator>()> evaluator;
  // Asked every 50 ms, with what was played and stored so far: true ends it after the batches in
  // flight.
  std::function<bool(std::int64_t plies, std::int64_t games)> halt;
};

// One thread a worker, until all have played their share, or `halt`; finished games are stored.
// Returns the sums over the workers. What a worker or the store throws comes out here, after all
// threads have ended; what was finished until then is stored, if the store takes it.
WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers, GameStore& store,
                     const GenerateOptions& options);

}  // namespace selfplay
