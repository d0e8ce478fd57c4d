#pragma once
// An actor: plays training games by the newest network of a run in a shared store, and sends them.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace training {

struct ActorOptions {
  std::string store;    // its URL
  std::string run;      // empty: the store's newest
  std::string program;  // name and version, for the store's list of actors
  std::string device = "cpu";
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string&)> progress;  // gets a line on the progress; may be empty
};

struct ActorEnd {
  std::string run;
  std::int64_t lease = 0;
  std::int64_t games = 0;   // that the store has taken
  std::int64_t unsent = 0;  // finished games that it has not
};

// Plays until it is stopped or the run has finished. Keeps nothing on disk: what is lost where it
// is killed are its games in flight, and those of the last second. While the server is away it
// plays on, up to some thousand games, and sends them later. A new network is taken in mid-game, as
// the learner's own games do. Throws base::InputError where the store or the run is not for this
// program, and base::EnvironmentError where server, rights or device fail at the start.
ActorEnd run_actor(const ActorOptions& options);

}  // namespace training
