#pragma once
// Workers on threads of their own, their finished games in a store.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "mcts/evaluator.h"
#include "selfplay/game_store.h"
#include "selfplay/worker.h"

namespace selfplay {

struct GenerateOptions {
  std::int64_t plies = std::numeric_limits<std::int64_t>::max();  // in all, shared evenly
  std::int64_t games = std::numeric_limits<std::int64_t>::max();  // stored; more are not
  int generation = 0;
  // Makes a worker's evaluator, on the worker's thread.
  std::function<std::unique_ptr<mcts::Evaluator>()> evaluator;
  // Asked every 50 ms, with what was played and stored so far: true ends it after the batches in
  // flight.
  std::function<bool(std::int64_t plies, std::int64_t games)> halt;
};

// One thread a worker, until all have played their share, enough games are stored, or `halt`.
// Returns the sums over the workers. What a worker or the store throws comes out here, after all
// threads have ended.
WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers, GameStore& store,
                     const GenerateOptions& options);

}  // namespace selfplay
