#pragma once
// What keeps the games of one run: an SQLite file, or a database on a server.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "selfplay/game_record.h"

namespace selfplay {

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

}  // namespace selfplay
