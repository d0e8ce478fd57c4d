#pragma once
// How a run's network plays training games: on the machine that learns, and on its actors.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "selfplay/generate.h"
#include "selfplay/worker.h"
#include "training/settings/run_config.h"
#include "training/settings/run_options.h"
#include "training/student/student_network.h"

namespace training {

// How games are played until they are halted, as in selfplay::GenerateOptions.
struct SessionTerms {
  std::function<bool(std::int64_t plies, std::int64_t games)> halt;
  bool store_at_once = false;
};

// Plays games and gives finished ones to the sink, as selfplay::generate() does. Returns what was
// played; evaluations are those by a network (an NNUE's: nodes). May be called again: then it plays
// on.
using PlaySession = std::function<selfplay::WorkerStats(const selfplay::GameSink& store,
                                                        const SessionTerms& terms)>;

// The training games of one network after another. Owned by one thread.
class SelfPlay {
 public:
  virtual ~SelfPlay() = default;

  // Returns what plays so many plies (or a few more) of this generation by the network, on whatever
  // thread; a network that has learned nothing is not asked. Throws nn::CheckpointError where the
  // network does not fit the config. May be called while an earlier session plays; sessions play
  // one after the other, and must not outlive this object.
  virtual PlaySession session(const StudentNetwork& network, std::int64_t generation,
                              std::int64_t plies) = 0;

  // Games that the last session has not finished, which the next one goes on with. REQUIRES: no
  // session plays.
  virtual std::vector<selfplay::GameInFlight> in_flight() const = 0;
  virtual void resume(std::span<const selfplay::GameInFlight> games) = 0;
};

struct SelfPlaySetup {
  RunConfig config;
  std::string device = "cpu";
  int threads = 1;
  std::uint64_t seed = 0;
  // Changes an NNUE's finished games before they are stored, or drops some; may be empty.
  std::function<void(std::vector<selfplay::GameRecord>&)> finish{};
};

// Plays as the config's student does. `counters` must outlive it: the precision of play is kept
// there once it was measured.
std::unique_ptr<SelfPlay> make_self_play(const SelfPlaySetup& setup, RunCounters& counters);

// Where games of selfplay.book begin: all ends of that book; null where none is named. Throws
// base::InputError where there is no such book, or it is of other rules than the run's only ones.
selfplay::BookStarts book_starts(const RunConfig& config);

// By tree search.
std::unique_ptr<SelfPlay> network_self_play(const SelfPlaySetup& setup, RunCounters& counters);
// By alpha-beta search.
std::unique_ptr<SelfPlay> nnue_self_play(const SelfPlaySetup& setup);

}  // namespace training
