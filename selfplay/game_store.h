#pragma once
// The games of a run, by default in one SQLite file that a human can query too: one row for each
// game, with its record as a blob.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/game_database.h"
#include "selfplay/game_record.h"

namespace selfplay {

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
  // Stores games of another store under the ids that they have there.
  void copy_in(std::span<const GameRecord> records) {
    games_->append(records, GameDatabase::Ids::kOwn);
  }
  // Removes all games but the newest `keep`. Returns how many.
  std::int64_t prune(std::int64_t keep) { return games_->prune(keep); }

  std::int64_t count() const { return games_->count(); }
  std::int64_t last_id() const { return games_->last_id(); }  // 0 where there is none

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
  void visit(const GameRange& range, const std::function<bool(GameRecord)>& visit) const;

  std::unique_ptr<GameDatabase> games_;
};

}  // namespace selfplay
