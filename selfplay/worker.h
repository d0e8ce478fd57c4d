#pragma once
// Many training games played in parallel by one thread, with one network batch a round.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/rng.h"
#include "mcts/evaluation_cache.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "rules/outcome.h"
#include "rules/repertoire.h"
#include "selfplay/game_record.h"
#include "selfplay/random_starts.h"
#include "selfplay/selfplay_config.h"
#include "tablebase/tables.h"

namespace selfplay {

// What every worker of a run shares.
struct WorkerSetup {
  SelfPlayConfig config;
  mcts::SearchConfig search;
  rules::Repertoire repertoire;                          // each game draws one of its rule sets
  rules::ScoringTable table;                             // the run's own
  std::shared_ptr<const tablebase::Tables> tablebase{};  // null: none
  BookStarts book_starts{};  // of the repertoire's only rule set; null: there is no book
};

struct WorkerStats {
  std::int64_t games = 0;
  std::int64_t plies = 0;
  std::int64_t evaluations = 0;  // positions the evaluator answered

  WorkerStats& operator+=(const WorkerStats& more) {
    games += more.games;
    plies += more.plies;
    evaluations += more.evaluations;
    return *this;
  }
};

// When a call of play() ends.
struct PlayLimit {
  // Plies that each seat plays, in its game in flight and those that follow.
  std::int64_t plies = std::numeric_limits<std::int64_t>::max();
  // Games with smaller numbers are started, and each is played to its end: so that short games do
  // not count more than long ones.
  std::int64_t games = std::numeric_limits<std::int64_t>::max();
};

// Draws the scoring table of a game: the run's own table, a table near it or a wide one, by the
// config's fractions. Wide ones move stalemates, impasses, piece values or several of these, as the
// tables do that people ask about. Every drawn table keeps the order of the seven scores.
rules::ScoringTable draw_table(const SelfPlayConfig& config, const rules::ScoringTable& own,
                               base::Rng& rng);

// A seat's game in flight, for a checkpoint.
struct GameInFlight {
  int seat = 0;
  std::int64_t round = 0;               // games that the seat has played to their end
  GameRecord game;                      // unfinished: the outcome means nothing; no start_fen: none
  std::array<std::uint64_t, 4> random;  // the game's own stream
};

// Plays some of a run's seats. A seat plays one game after the other; the game of seat s in round r
// has the number r * SelfPlayConfig::games + s and a random stream of its own, split from the run's
// by (s, r). So a game's moves depend only on the setup, the run's random stream, its seat and
// round, and the evaluators: neither on time nor on how the seats are divided among workers. Where
// the evaluator takes several batches at once, groups of seats take turns (mcts::take_turns). Owned
// by one thread.
class SelfPlayWorker {
 public:
  using Sink = std::function<void(std::int64_t number, GameRecord)>;  // a finished game, id 0

  // Has the seats first, first + step, first + 2 * step, …
  struct Seats {
    int first = 0, step = 1;
  };

  SelfPlayWorker(const WorkerSetup& setup, base::Rng run, Seats seats);
  SelfPlayWorker(const WorkerSetup& setup, base::Rng run) : SelfPlayWorker(setup, run, Seats{}) {}
  ~SelfPlayWorker();
  SelfPlayWorker(const SelfPlayWorker&) = delete;
  SelfPlayWorker& operator=(const SelfPlayWorker&) = delete;

  // Continues its games, and starts new ones in the place of finished ones, until the limit is
  // reached or `stop` is set; as seats reach it, the batch grows smaller. Finished games go to the
  // sink, with the generation. Trees of an earlier call are cleared: they may be another network's.
  WorkerStats play(mcts::Evaluator& evaluator, const PlayLimit& limit, int generation,
                   const std::atomic<bool>& stop, const Sink& sink);

  // Plies played so far by the newest call of play(); 0 from forget_plies() to the next one's first
  // batch. For any thread.
  std::int64_t plies_played() const { return plies_played_.load(std::memory_order_relaxed); }
  void forget_plies() { plies_played_ = 0; }

  // Returns the games in flight by seat; resume() takes those of its seats. A seat that goes on
  // from its game plays as the one that was saved would have, if both call play() next. A seat from
  // SelfPlayConfig::games on, of a run that had more, plays its game to the end and is given up.
  std::vector<GameInFlight> in_flight() const;
  void resume(std::span<const GameInFlight> games);

 private:
  class Seat;
  struct Terms;
  WorkerSetup setup_;
  base::Rng run_;
  Seats own_;
  std::vector<std::unique_ptr<Seat>> seats_;
  mcts::EvaluationCache cache_;
  std::vector<mcts::LeafBatch> batches_;  // one a group of seats
  std::atomic<std::int64_t> plies_played_ = 0;
};

}  // namespace selfplay
