#pragma once
// The games of a run in one SQLite file that a human can query too: one row for each game, with its
// record as a blob.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "selfplay/game_record.h"

namespace selfplay {

enum class StoreMode {
  kRead,   // the file must exist
  kWrite,  // made where it is missing; one writer at a time (others wait up to 10 s)
};

// Every function throws InputError, naming file and game, where the file is damaged, no store or of
// another version or a game in it is damaged (also by an illegal move), and EnvironmentError where
// disk or rights fail. A process killed at any moment loses at most the transaction in flight. All
// functions may be called by several threads.
class GameStore {
 public:
  GameStore(const std::filesystem::path& path, StoreMode mode);
  ~GameStore();
  GameStore(const GameStore&) = delete;
  GameStore& operator=(const GameStore&) = delete;

  // Stores all of them or none, in one transaction; their ids go up from the one returned. A game
  // whose generation and seed (not 0) are there already is the same game, played again by a run
  // that was killed: it is left out.
  std::int64_t append(std::span<const GameRecord> records);

  std::int64_t count() const;    // games
  std::int64_t last_id() const;  // 0 where there is none

  // Returns games first_id … last_id, both included, in order.
  std::vector<GameRecord> load(std::int64_t first_id, std::int64_t last_id) const;
  // Returns the newest games up to `last_id`, in order: `wanted` is asked, the newest first, until
  // it says no. `wanted` must not use the store.
  std::vector<GameRecord> load_back(std::int64_t last_id,
                                    const std::function<bool(const GameRecord&)>& wanted) const;

  // Which games to show.
  struct Filter {
    std::optional<int> generation;
    std::optional<std::int64_t> last;  // at most so many, the newest
  };
  // Visits games in order, until `visit` returns false. `visit` must not use the store.
  void for_each(const Filter& filter, const std::function<bool(const GameRecord&)>& visit) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace selfplay
