#pragma once
// The matches that measure a run's newest network.

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "arena/match.h"
#include "training/run/run_loop.h"
#include "training/run/run_state.h"
#include "training/settings/run_config.h"
#include "training/student/student.h"

namespace training {

// Results by their keys in metrics.jsonl.
using Comparisons = std::vector<std::pair<std::string, arena::MatchResult>>;

struct MatchSetup {
  const RunConfig& config;
  const RunOptions& options;
  const RunCounters& counters;
  Student& student;
};

// A run's last matches.
struct FinalMatches {
  int games = 0;       // of each
  double seconds = 0;  // that all are expected to take
};

// Plans evaluation.final_games, or as many as take evaluation.final_share of run.max_minutes at the
// speed of the generation that the record is of; but at least ten pairs of each.
FinalMatches plan_final_matches(const RunConfig& config, const nlohmann::ordered_json& record);

// How many seconds the matches still take of which a part is done, `spent_s` after they began and
// `expected_s` in all before. What was expected counts like a tenth of them: the first game to end
// says little, for it is a short one of many that are played at once.
double matches_left_s(double done, double spent_s, double expected_s);

// Whether a generation's record holds matches.
bool has_matches(const nlohmann::ordered_json& record);

// Matches of the newest network that are ready to be played on whatever thread, all with
// self-play's search.
struct ReadyMatches {
  std::int64_t generation = 0;
  arena::PlayerFactory newest;
  std::vector<std::pair<std::string, arena::PlayerFactory>> opponents;  // by key in metrics.jsonl
  arena::MatchConfig match;                                             // each
  int at_once = 1;                                                      // matches
};

// The run's last ones: against `random`, the run's start and, unless evaluation.every is 0,
// `greedy` and the network compared last. They have all threads. A checkpoint that cannot be read
// is logged and left out.
ReadyMatches last_matches(const MatchSetup& setup, int games);
// Those on the way, which are played beside other work and so are few and on few threads: against
// the network compared last, which measures progress, and `greedy`, which takes the longest of what
// never changes to be beaten always and costs one side's evaluations alone.
ReadyMatches matches_on_the_way(const MatchSetup& setup);

// Plays them: on a device side by side, on a CPU, which they keep busy one by one, in turn. Gives
// each result as it comes, by one thread at a time, but for those that were stopped. `progress`
// (may be empty) is told the fraction of all the games that is over, likewise.
void play(const ReadyMatches& matches,
          const std::function<void(const std::string& key, arena::MatchResult)>& result,
          const std::function<void(double done)>& progress, const std::atomic<bool>* stop);

// Matches that go on beside whatever the run does. Owned by one thread.
class MatchesBeside {
 public:
  MatchesBeside() = default;
  // Drops those that go on.
  ~MatchesBeside();
  MatchesBeside(const MatchesBeside&) = delete;
  MatchesBeside& operator=(const MatchesBeside&) = delete;

  // REQUIRES: none go on, and all results were taken.
  void start(ReadyMatches matches);
  bool go_on() const { return running_.valid(); }
  std::int64_t generation() const { return generation_; }
  // The results that came since the last call. Throws what the players threw. Of the last one on,
  // go_on() is false.
  Comparisons take();

 private:
  std::int64_t generation_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;           // guards the next
  Comparisons results_;        // not taken yet
  std::future<void> running_;  // the last: uses the others
};

}  // namespace training
