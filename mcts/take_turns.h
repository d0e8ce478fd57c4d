#pragma once
// Many games, one evaluator that may be a device: while it works, the thread walks other trees.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "mcts/evaluator.h"

namespace mcts {

// An evaluator that a thread need not wait for. It takes evaluate() in two parts, between which a
// device may work on the batch, which nobody changes.
class EvaluatorInTwoParts : public Evaluator {
 public:
  // REQUIRES: fewer than most_in_flight() batches were started and not finished.
  virtual void start(LeafBatch& batch) = 0;
  // Waits for the batch. REQUIRES: it was started first of those that are not finished.
  virtual void finish(LeafBatch& batch) = 0;
  // 1 where nothing happens in between.
  virtual int most_in_flight() const = 0;

  void evaluate(LeafBatch& batch) final {
    start(batch);
    finish(batch);
  }
};

// Makes a batch for each of the groups into which so many games are divided: as many as the
// evaluator takes batches at once, but none without a game. The batches keep their memory.
inline void make_groups(const Evaluator& evaluator, std::size_t games, EvaluationCache* cache,
                        std::vector<LeafBatch>& batches) {
  const auto* device = dynamic_cast<const EvaluatorInTwoParts*>(&evaluator);
  const std::size_t most = device ? static_cast<std::size_t>(device->most_in_flight()) : 1;
  batches.resize(std::clamp<std::size_t>(most, 1, std::max<std::size_t>(games, 1)));
  for (LeafBatch& batch : batches) {
    batch.clear();
    batch.cache = cache;
  }
}

// The games of one group.
template <class Game>
std::span<Game> group_of(std::span<Game> games, std::size_t group, std::size_t groups) {
  const std::size_t begin = games.size() * group / groups;
  return games.subspan(begin, games.size() * (group + 1) / groups - begin);
}

// The groups take turns, each with its batch, until every one in a row had nothing to do or
// `stop()`, asked before each turn, is true. A group's turn: its batch, if it started one, is
// finished and given to `apply(group)`; `collect(group)` adds leaves to the batch, which has none,
// and says whether there is more to do; the batch is started. No batch is left in flight, unless
// something throws. What a group is told does not depend on time.
template <class Collect, class Apply, class Stop>
void take_turns(Evaluator& evaluator, std::span<LeafBatch> batches, Collect&& collect,
                Apply&& apply, Stop&& stop) {
  auto* const device = dynamic_cast<EvaluatorInTwoParts*>(&evaluator);
  const std::size_t groups = batches.size();
  const auto finish = [&](std::size_t group) {
    LeafBatch& batch = batches[group];
    if (batch.leaves.empty()) return;
    device ? device->finish(batch) : evaluator.evaluate(batch);
    apply(group);
    batch.clear();
  };
  std::size_t turn = 0, idle = 0;  // groups in a row that had nothing to do
  for (; idle < groups && !stop(); ++turn) {
    const std::size_t group = turn % groups;
    finish(group);
    idle = collect(group) ? 0 : idle + 1;
    if (device && !batches[group].leaves.empty()) device->start(batches[group]);
  }
  for (std::size_t i = 0; i < groups; ++i) finish((turn + i) % groups);
}

}  // namespace mcts
