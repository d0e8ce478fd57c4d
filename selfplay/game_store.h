#pragma once
// The games of a run, by default in one SQLite file that a human can query too: one row for each
// game, with its record as a blob.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/game_record.h"

namespace selfplay {

inline constexpr const char* kGamesFile = "games.db";  // in a folder

enum class StoreMode {
  kRead,   // the file must exist
  kWrite,  // made where it is missing; one writer at a time (others wait up to 10 s)
};

// Which games to visit: those with ids from `first_id` to `last_id`, of one generation or all, and
// of these the newest `last` or all.
struct GameRange {
  std::int64_t first_id = 1, last_id = std::numeric_limits<std::int64_t>::max();
  std::optional<int> generation = {};
  std::optional<std::int64_t> last = {};
  bool newest_first = false;
};

// Keeps records as they are, unread. Errors and threads as of GameStore.
class GameDatabase {
 public:
  // What append() makes the games' ids.
  enum class Ids {
    kNext,  // in order, above all that were given before
    kOwn,   // those of the records, of which no other game may have one
  };

  virtual ~GameDatabase() = default;
  virtual std::string name() const = 0;  // for messages
  // GameStore::append().
  virtual std::int64_t append(std::span<const GameRecord> records, Ids ids) = 0;
  virtual std::int64_t count() const = 0;
  virtual std::int64_t last_id() const = 0;
  // Calls visit(id, encoded record) in the order of the ids until it returns false.
  using Visit = std::function<bool(std::int64_t id, std::span<const std::byte> record)>;
  virtual void visit(const GameRange& range, const Visit& visit) const = 0;
  // Removes all games but the newest `keep`. Returns how many.
  virtual std::int64_t prune(std::int64_t keep) = 0;
};

// Opens the file, or makes it.
std::unique_ptr<GameDatabase> sqlite_games(const std::filesystem::path& file, StoreMode mode);

// Every function throws InputError, naming file and game, where the file is damaged, no store or of
// another version or a game in it is damaged (also by an illegal move), and EnvironmentError where
// disk or rights fail. A process killed at any moment loses at most the transaction in flight. All
// functions may be called by several threads.
class GameStore {
 public:
  GameStore(const std::filesystem::path& path, StoreMode mode)
      : GameStore(sqlite_games(path, mode)) {}
  explicit GameStore(std::unique_ptr<GameDatabase> games) : games_(std::move(games)) {}

  std::string name() const { return games_->name(); }  // for messages: the file's path, …

  // Stores all of them or none, in one transaction; their ids go up from the one returned. A game
  // whose generation and seed (not 0) are there already is the same game, played again by a run
  // that was killed: it is left out.
  std::int64_t append(std::span<const GameRecord> records) {
    return games_->append(records, GameDatabase::Ids::kNext);
  }
  // Stores games of another store under the ids that they have there; leaves out those that are
  // there already. Throws InputError where another game has one of the ids.
  void copy_in(std::span<const GameRecord> records) {
    games_->append(records, GameDatabase::Ids::kOwn);
  }
  // Removes all games but the newest `keep`, and never the newest of all, whose id is the last that
  // was given. Returns how many.
  std::int64_t prune(std::int64_t keep) { return games_->prune(std::max<std::int64_t>(1, keep)); }

  std::int64_t count() const { return games_->count(); }
  std::int64_t last_id() const { return games_->last_id(); }  // 0 where there is none

  // Returns games first_id … last_id, both included, in order.
  std::vector<GameRecord> load(std::int64_t first_id, std::int64_t last_id) const;
  // Returns the newest games up to `last_id`, in order: `wanted` is asked, the newest first, until
  // it says no. `wanted` must not use the store.
  std::vector<GameRecord> load_back(std::int64_t last_id,
                                    const std::function<bool(const GameRecord&)>& wanted) const;

  // Visits games in order, until `visit` returns false. `visit` must not use the store.
  void visit(const GameRange& range, const std::function<bool(GameRecord)>& visit) const;

 private:
  std::unique_ptr<GameDatabase> games_;
};

}  // namespace selfplay
