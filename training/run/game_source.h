#pragma once
// Where a run's training games come from.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <utility>

#include "selfplay/worker.h"
#include "training/run/run_loop.h"
#include "training/run/run_state.h"
#include "training/store/run_games.h"
#include "training/store/run_in_store.h"
#include "training/student/self_play.h"
#include "training/student/student_network.h"

namespace training {

// Owned by one thread. Throws what playing, the store and RunGames throw.
class GameSource {
 public:
  struct Played {
    selfplay::WorkerStats stats;  // evaluations: those of a network that has learned something
    double seconds = 0;
  };

  virtual ~GameSource() = default;

  // Returns once the generation's plies have been played, by the network, or `halt`. The games are
  // in the store, but for those that take_in() lets count.
  virtual void await(const StudentNetwork& network, const GamesWanted& wanted) = 0;
  // Lets what others have sent count, of about `most_plies` at most.
  virtual void take_in(std::int64_t /*generation*/, std::int64_t /*most_plies*/) {}
  // Ends games that go on, after the batches in flight.
  virtual void pause() {}
  // What was played since the last call. What goes on is known after pause() alone.
  Played take_played() { return std::exchange(played_, {}); }

  // Makes ready to play by a new network while games by the old one go on; start() plays then,
  // beside whatever the run does.
  virtual void prepare(const StudentNetwork& /*network*/, const GamesWanted& /*next*/) {}
  virtual void start() {}

  // What a checkpoint holds. REQUIRES: no games go on.
  virtual void save(RunState& state) const = 0;
  virtual void resume(const RunState& state) = 0;

  // A checkpoint has been written.
  virtual void publish(const std::filesystem::path& /*checkpoint*/, std::int64_t /*generation*/) {}
  virtual void set_finished(bool /*finished*/) {}
  virtual void add_to(nlohmann::ordered_json& /*record*/) {}

 protected:
  Played played_;
};

// Where the config plays no games there are those of --games alone. On a CPU learning needs the
// cores, and the same games are to be played whatever takes how long: there they take turns. On a
// device no game waits for the learner, whose steps leave the cores free. `shared`: where the games
// are in a shared store, else null; then actors' games arrive there, and RunOptions::plays says
// whether the run plays too. All must outlive the source.
std::unique_ptr<GameSource> make_game_source(const RunConfig& config, const RunOptions& options,
                                             SelfPlay& self_play, RunGames& games,
                                             RunInStore* shared);

}  // namespace training
