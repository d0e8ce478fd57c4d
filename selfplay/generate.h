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

// At most `count` workers for the seats of one run, whose random stream is the seed's: what is
// played does not depend on their number.
std::vector<std::unique_ptr<SelfPlayWorker>> make_workers(const WorkerSetup& setup, int count,
                                                          std::uint64_t seed);

struct GenerateOptions {
  PlayLimit limit;
  int generation = 0;
  // Makes a worker's evaluator, on the worker's thread.
  std::function<std::unique_ptr<mcts::Evaluator>()> evaluator;
  // Asked every 50 ms, with what was played and finished so far: true ends it after the batches in
  // flight.
  std::function<bool(std::int64_t plies, std::int64_t games)> halt;
};

// One thread a worker, until all have played their part, or `halt`. Finished games are stored in
// the order of their numbers: with a limit of games as soon as those before them are, else at the
// end. Returns the sums over the workers. What a worker or the store throws comes out here, after
// all threads have ended; what was finished until then is stored, if the store takes it.
WorkerStats generate(std::span<const std::unique_ptr<SelfPlayWorker>> workers, GameStore& store,
                     const GenerateOptions& options);

}  // namespace selfplay
