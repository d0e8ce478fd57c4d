#pragma once
// A store that many machines share: games and networks of runs in a PostgreSQL database. A learner
// owns a run there; actors fetch its networks and send games, which wait in a queue until the
// learner has checked them. docs/distributed.md says what each sees.

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "selfplay/game_record.h"
#include "selfplay/game_store.h"

namespace selfplay {

// Whether the text names such a store: postgresql://… or postgres://….
inline bool is_store_url(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

// The server does not answer, has no room, or takes no more for the moment: the same call may
// succeed later.
class StoreAway : public base::EnvironmentError {
  using base::EnvironmentError::EnvironmentError;
};

struct StoreAccess {
  std::string url;  // as libpq takes it
  // Asked before each further try of a call for which the server was away, after a pause of at most
  // two seconds: false throws StoreAway instead, as does an empty function. Not for the first
  // connection, which is tried once.
  std::function<bool(const std::string& why)> try_again = {};
  // Makes the tables where there are none.
  bool make = false;
};

struct SharedRun {
  int id = 0;
  std::string name;
  std::string config;  // TOML
  bool finished = false;
};

struct SharedNetwork {
  std::int64_t generation = 0;
  std::string file;  // the bytes of a network file
};

// An actor as it describes itself.
struct ActorCard {
  std::string machine, program, device;
  int threads = 0;
};

struct ActorProgress {
  std::int64_t network = 0;  // generation of the one that plays
  std::int64_t games = 0, plies = 0;
  double waited_s = 0;  // in which nothing was played, for a network or for room in the queue
};

// What admit() did.
struct Admission {
  std::int64_t games = 0, plies = 0;  // that count now
  std::int64_t repeated = 0;          // games that had counted before
  std::int64_t refused = 0;           // games that were set aside with the reason
  std::string reason;                 // of the first that was refused
  bool empty = false;                 // nothing is left in the queue
};

// All functions may be called by several threads, one after the other. They throw
// base::EnvironmentError where server or rights fail (StoreAway where that may pass), and
// base::InputError where there is no such run, or the store is of another version or damaged.
// Every call that writes may be repeated: a game or a network that is there already is left out.
class SharedStore {
 public:
  virtual ~SharedStore() = default;
  virtual std::string name() const = 0;  // for messages: the URL without its password

  // Returns the run of this name; without a name the one that was made last.
  virtual SharedRun find_run(const std::string& name) = 0;
  // Removes networks and refused games but the newest `keep` networks. Returns the networks.
  virtual std::int64_t prune(const SharedRun& run, std::int64_t keep) = 0;
  // Reads each network and compares it with its checksum; throws InputError naming the first that
  // is damaged. Returns how many there are.
  virtual std::int64_t check_networks(const SharedRun& run) = 0;
  // Lets a role that exists be an actor's: it may read runs and networks and send games.
  virtual void let_act(const std::string& role) = 0;
  // Returns a list of the runs (of one name, or all) with what `status` prints.
  virtual nlohmann::ordered_json status(const std::string& run) = 0;

  // --- a learner ---

  // Makes the run, or takes it with a new config (empty: its own), and keeps other learners from it
  // while this object lives. Throws EnvironmentError where another has it.
  virtual SharedRun claim_run(const std::string& name, const std::string& config) = 0;
  virtual void set_finished(const SharedRun& run, bool finished) = 0;
  // Returns the run's games that count; it must not outlive the store.
  virtual std::unique_ptr<GameDatabase> games(const SharedRun& run) = 0;
  // Stores the network, tells all actors, and removes networks but the newest `keep`.
  virtual void publish(const SharedRun& run, const SharedNetwork& network, int keep) = 0;
  // Checks at most some hundred games of the queue, until those that count have as many plies:
  // those that are sound get the next ids, so that a reader of ids misses none, whenever their
  // senders commit.
  virtual Admission admit(const SharedRun& run, const GameTerms& terms,
                          std::int64_t most_plies) = 0;
  // Plies of the games whose ids are above this one.
  virtual std::int64_t plies_after(const SharedRun& run, std::int64_t id) = 0;

  // --- an actor ---

  // Returns the number of a new lease, which no other actor has or had. Throws InputError where the
  // run is another's or of another version.
  virtual std::int64_t enlist(const SharedRun& run, const ActorCard& card) = 0;
  // Tells that the actor lives. Returns whether its run goes on.
  virtual bool beat(std::int64_t lease, const ActorProgress& progress) = 0;
  // Returns the newest network, where it is newer than that generation. Throws InputError where its
  // checksum does not fit.
  virtual std::optional<SharedNetwork> newest_network(const SharedRun& run,
                                                      std::int64_t newer_than) = 0;
  // Whether a network has been announced since the last call. Does not wait.
  virtual bool announced() = 0;
  // Puts all of the games into the queue, or none. Throws StoreAway where the queue is full.
  virtual void send(const SharedRun& run, std::int64_t lease,
                    std::span<const GameRecord> games) = 0;
};

// Throws also InputError where the URL is none, and where the program was built without PostgreSQL.
std::unique_ptr<SharedStore> open_shared_store(const StoreAccess& access);

}  // namespace selfplay
