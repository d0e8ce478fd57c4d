#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <string>
#include <system_error>

#include "base/errors.h"
#include "selfplay/game_store.h"

namespace selfplay {
namespace {

constexpr int kApplicationId = 0x53234742;  // "S#GB"
constexpr int kVersion = 1;
constexpr int kBusyMilliseconds = 10000;

constexpr const char* kSqliteSchema = R"(
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  rules TEXT NOT NULL,
  start_fen TEXT NOT NULL,
  scoring_table TEXT NOT NULL,  -- changes to the rule set's own table
  outcome TEXT NOT NULL,
  points_white REAL NOT NULL,   -- of ten, under that table
  ended TEXT NOT NULL,          -- rules, resignation, fast_fifty
  plies INTEGER NOT NULL,
  seed INTEGER NOT NULL,        -- of the game's own random stream; 0: none
  record BLOB NOT NULL          -- the whole game: see game_record.h
);
CREATE INDEX games_by_generation ON games (generation, plies);
CREATE UNIQUE INDEX games_by_seed ON games (generation, seed) WHERE seed <> 0;
)";

[[noreturn]] void rethrow(const SQLite::Exception& error, const std::filesystem::path& path,
                          int system_error) {
  std::string message = path.string() + ": " + error.what();
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:  // an id
      throw base::InputError(message);
    default:  // full, read-only, cannot open, input/output, busy, …
      if (system_error != 0) message += " (" + std::generic_category().message(system_error) + ")";
      throw base::EnvironmentError(message);
  }
}

// Returns errno of the database's last failure, or 0. SQLite does not keep it where a transaction
// failed in its commit; the file that could not be written does.
int system_error_of(sqlite3* database) {
  int error = sqlite3_system_errno(database);
  sqlite3_file* log = nullptr;
  if (error == 0 &&
      sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK &&
      log && log->pMethods) {
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
  }
  return error;
}

// Runs f, and turns what SQLite throws into one of our errors, naming the file and the system's
// error. `database` may be null.
template <class F>
auto guarded(const std::filesystem::path& path, SQLite::Database* database, F f) {
  try {
    return f();
  } catch (const SQLite::Exception& error) {
    rethrow(error, path, database ? system_error_of(database->getHandle()) : errno);
  }
}

// Escapes the three special characters of a URI.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    out += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  }
  return out;
}

SQLite::Database opened(const std::filesystem::path& path, StoreMode mode) {
  if (mode == StoreMode::kRead && !std::filesystem::exists(path)) {
    throw base::InputError(path.string() + ": there is no such file; expected a store of games");
  }
  return guarded(path, nullptr, [&] {
    if (mode == StoreMode::kWrite) {
      return SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                              kBusyMilliseconds);
    }
    // Readers in WAL mode write an index beside the file. In a folder where they may not write,
    // nobody else does, and where there is no log all is in the file.
    const bool kept =
        std::filesystem::exists(path.string() + "-wal") ||
        ::access(path.parent_path().empty() ? "." : path.parent_path().c_str(), W_OK) == 0;
    const std::string uri = "file:" + escaped(path.string()) + (kept ? "" : "?immutable=1");
    return SQLite::Database(uri, SQLite::OPEN_READONLY | SQLite::OPEN_URI, kBusyMilliseconds);
  });
}

class SqliteGames final : public GameDatabase {
 public:
  SqliteGames(const std::filesystem::path& path, StoreMode mode)
      : path_(path), database_(opened(path, mode)) {
    guarded(path_, &database_, [&] {
      if (mode == StoreMode::kRead) {
        check();
        return;
      }
      make_or_check();
      check_integrity();
      database_.exec("PRAGMA journal_mode = WAL");
      database_.exec("PRAGMA synchronous = FULL");  // a checkpoint must not outlive its games
    });
  }

 private:
  // Runs f(database) alone on the connection, with errors translated.
  template <class F>
  auto with_database(F f) const {
    const std::lock_guard lock(mutex_);
    return guarded(path_, &database_, [&] { return f(database_); });
  }

  // The number that the query gives.
  std::int64_t ask(const char* query) const {
    return with_database([&](SQLite::Database& db) { return db.execAndGet(query).getInt64(); });
  }

 public:
  std::string name() const override { return path_.string(); }

  std::int64_t append(std::span<const GameRecord> records, Ids ids) override {
    return with_database([&](SQLite::Database& database) {
      SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
      const std::int64_t first =
          database.execAndGet("SELECT coalesce(max(id), 0) + 1 FROM games").getInt64();
      for (const GameRecord& record : records) insert(record, ids);
      transaction.commit();
      return first;
    });
  }

  std::int64_t count() const override { return ask("SELECT count(*) FROM games"); }
  std::int64_t last_id() const override { return ask("SELECT coalesce(max(id), 0) FROM games"); }

  void visit(const GameRange& range, const Visit& visit) const override {
    const std::string order = range.newest_first ? " ORDER BY id DESC" : " ORDER BY id";
    const bool chosen = range.generation || range.last;
    const std::string query =
        chosen ? "SELECT id, record FROM games WHERE id IN (SELECT id FROM games WHERE id BETWEEN "
                 "?1 AND ?2 AND (?3 < 0 OR generation = ?3) ORDER BY id DESC LIMIT ?4)"
               : "SELECT id, record FROM games WHERE id BETWEEN ?1 AND ?2";
    with_database([&](SQLite::Database& database) {
      SQLite::Statement rows(database, query + order);
      SQLite::bind(rows, range.first_id, range.last_id);
      if (chosen) {
        rows.bind(3, range.generation.value_or(-1));
        rows.bind(4, range.last.value_or(-1));
      }
      for (bool more = true; more && rows.executeStep();) {
        const std::int64_t id = rows.getColumn(0).getInt64();
        const SQLite::Column blob = rows.getColumn(1);
        const auto* bytes = static_cast<const std::byte*>(blob.getBlob());
        more = visit(id, {bytes, static_cast<std::size_t>(blob.getBytes())});
      }
    });
  }

  std::int64_t prune(std::int64_t keep) override {
    return with_database([&](SQLite::Database& database) {
      SQLite::Statement removal(database,
                                "DELETE FROM games WHERE id <= (SELECT id FROM games ORDER BY id "
                                "DESC LIMIT 1 OFFSET ?)");
      removal.bind(1, keep);
      return static_cast<std::int64_t>(removal.exec());
    });
  }

 private:
  // REQUIRES: called by with_database().
  void insert(const GameRecord& record, Ids ids) {
    if (!insertion_) {
      insertion_ = std::make_unique<SQLite::Statement>(
          database_,
          "INSERT INTO games (generation, rules, start_fen, scoring_table, outcome, points_white, "
          "ended, plies, seed, record, id) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 "
          "WHERE NOT EXISTS (SELECT 1 FROM games WHERE id = ?11 AND record = ?10) "
          "ON CONFLICT (generation, seed) WHERE seed <> 0 DO NOTHING");
    }
    const std::vector<std::byte> block = encode(record);
    insertion_->tryReset();
    SQLite::bind(
        *insertion_, record.generation, std::string(record.rules.name()), record.start_fen,
        record.table.to_changes(record.rules.table()), std::string(rules::name(record.outcome)),
        record.table.white_points(record.outcome), std::string(selfplay::name(record.ended)),
        static_cast<std::int64_t>(record.plies.size()), static_cast<std::int64_t>(record.seed));
    insertion_->bind(10, block.data(), static_cast<int>(block.size()));
    ids == Ids::kOwn ? insertion_->bind(11, record.id) : insertion_->bind(11);  // null: the next
    insertion_->exec();
  }

  int number(const std::string& query) { return database_.execAndGet(query).getInt(); }

  void check() {
    if (number("PRAGMA application_id") != kApplicationId) {
      throw base::InputError(path_.string() + ": this is not a store of games");
    }
    const int version = number("PRAGMA user_version");
    if (version != kVersion) {
      throw base::InputError(path_.string() + ": a store of version " + std::to_string(version) +
                             ", expected " + std::to_string(kVersion));
    }
    if (number("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')") != 0 ||
        number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'games'") != 1) {
      throw base::InputError(path_.string() + ": not the tables of a store of games");
    }
  }

  // The structure of all pages. Indices are not compared with the games row by row, which takes
  // longer the more games there are; a game's record has its own checksum.
  void check_integrity() {
    const std::string found = database_.execAndGet("PRAGMA quick_check(1)").getString();
    if (found != "ok") throw base::InputError(path_.string() + ": damaged: " + found);
  }

  // Makes a store of an empty file; any other must be one already.
  void make_or_check() {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    if (number("PRAGMA application_id") == 0 && number("SELECT count(*) FROM sqlite_master") == 0) {
      database_.exec(kSqliteSchema);
      database_.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
      database_.exec("PRAGMA user_version = " + std::to_string(kVersion));
    }
    check();
    transaction.commit();
  }

  std::filesystem::path path_;
  mutable std::mutex mutex_;
  mutable SQLite::Database database_;
  std::unique_ptr<SQLite::Statement> insertion_;  // goes before the database
};

}  // namespace

std::unique_ptr<GameDatabase> sqlite_games(const std::filesystem::path& file, StoreMode mode) {
  return std::make_unique<SqliteGames>(file, mode);
}

}  // namespace selfplay
