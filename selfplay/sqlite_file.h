#pragma once
// A file of SQLite that holds one kind of records: how it is opened, checked and asked.

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <mutex>
#include <string>

#include "selfplay/game_store.h"

namespace selfplay {

struct SqliteKind {
  int application_id;
  int version;
  const char* what;    // in messages: "store of games"
  const char* tables;  // their names, sorted, between commas
  const char* schema;  // that makes them
  // What a commit waits for: FULL, the disk, so that it outlives the machine's; NORMAL, the system,
  // so that it outlives the process.
  const char* synchronous;
};

// Every function throws InputError, naming the file, where it is damaged, of another kind or of
// another version, and EnvironmentError where disk or rights fail. A process killed at any moment
// loses at most the transaction in flight. For several threads.
class SqliteFile {
 public:
  // Makes it where it is missing and the mode allows that.
  SqliteFile(std::filesystem::path path, StoreMode mode, const SqliteKind& kind);

  const std::filesystem::path& path() const { return path_; }
  // Runs f(database) alone on the connection, with errors translated.
  template <class F>
  auto with(F f) const {
    const std::lock_guard lock(mutex_);
    return guarded(f);
  }

 private:
  template <class F>
  auto guarded(F f) const {
    try {
      return f(database_);
    } catch (const SQLite::Exception& error) {
      rethrow(error);
    }
  }
  [[noreturn]] void rethrow(const SQLite::Exception& error) const;
  void check(const SqliteKind& kind) const;
  void make_or_check(const SqliteKind& kind) const;

  std::filesystem::path path_;
  mutable std::mutex mutex_;
  mutable SQLite::Database database_;
};

}  // namespace selfplay
