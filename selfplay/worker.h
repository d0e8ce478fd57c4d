#pragma once
// Many training games played side by side by one thread, one network batch a round.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "mcts/evaluation_cache.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "rules/outcome.h"
#include "rules/repertoire.h"
#include "rules/rng.h"
#include "selfplay/game_record.h"
#include "selfplay/selfplay_config.h"

namespace selfplay {

// What every worker of a run shares.
struct WorkerSetup {
  SelfPlayConfig config;
  mcts::SearchConfig search;
  rules::Repertoire repertoire;  // each game draws one of its rule sets
  rules::ScoringTable table;     // the run's own
};

struct WorkerStats {
  std::int64_t games = 0;
  std::int64_t plies = 0;
  std::int64_t evaluations = 0;  // positions the evaluator answered
  std::int64_t rounds = 0;       // batches
  std::int64_t adjudicated = 0;  // games ended by a verdict
  std::int64_t verdicts = 0;     // on games that were played through
  std::int64_t false_verdicts = 0;
};

// How much a worker plays: until either is reached.
struct PlayLimit {
  std::int64_t plies = std::numeric_limits<std::int64_t>::max();
  // Begun, each of which is played to its end: so that short games do not count more than long
  // ones.
  std::int64_t games = std::numeric_limits<std::int64_t>::max();
};

// Owned by one thread. The games, and each game's moves, depend on the setup, the worker's random
// stream and the evaluator alone, not on time.
class SelfPlayWorker {
 public:
  using Sink = std::function<void(GameRecord)>;  // a finished game, id 0

  SelfPlayWorker(const WorkerSetup& setup, rules::Rng rng);
  ~SelfPlayWorker();
  SelfPlayWorker(const SelfPlayWorker&) = delete;
  SelfPlayWorker& operator=(const SelfPlayWorker&) = delete;

  // Goes on with its games, and begins others in the place of finished ones, until the limit is
  // reached or `stop` is set; where no more may be begun, the batch grows smaller. Finished games
  // go to the sink, marked with the generation. Trees of an earlier call are dropped: another
  // network may have grown them.
  WorkerStats play(mcts::Evaluator& evaluator, const PlayLimit& limit, int generation,
                   const std::atomic<bool>& stop, const Sink& sink);

  // Whether games may be ended by a verdict (off at first); else all are played through.
  void adjudicate(bool on) { adjudicating_ = on; }

  // From the next call of play() on, instead of the config's.
  void set_simulations(int full, int fast);

  // Plies played so far by the newest call of play(); 0 from forget_plies() to the next one's first
  // batch. For any thread.
  std::int64_t plies_played() const { return plies_played_.load(std::memory_order_relaxed); }
  void forget_plies() { plies_played_ = 0; }

  // The games in flight, for a checkpoint, and back. A worker that goes on from them plays as the
  // one that was saved would have, if both call play() next.
  struct Flight {
    std::vector<GameRecord> games;                     // unfinished: the outcome means nothing
    std::vector<std::array<std::uint64_t, 4>> random;  // beside games; the last is the worker's own
    std::uint64_t begun = 0;  // seats that ever had a game: each has a stream of its own
  };
  Flight flight() const;
  void resume(const Flight& flight);

 private:
  class Game;
  void count_verdict(const GameRecord& game, WorkerStats& stats) const;
  WorkerSetup setup_;
  rules::Rng rng_;
  std::uint64_t seats_begun_ = 0;  // each has played one game after the other since
  std::vector<std::unique_ptr<Game>> games_;
  mcts::EvaluationCache cache_;
  mcts::LeafBatch batch_;
  bool adjudicating_ = false;
  std::atomic<std::int64_t> plies_played_ = 0;
};

}  // namespace selfplay
