#include "selfplay/sqlite_file.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/errors.h"

namespace selfplay {
namespace {

constexpr int kBusyMilliseconds = 10000;

[[noreturn]] void throw_ours(const SQLite::Exception& error, const std::filesystem::path& path,
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

// Escapes the three special characters of a URI.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    out += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  }
  return out;
}

SQLite::Database opened(const std::filesystem::path& path, StoreMode mode, const char* what) {
  if (mode == StoreMode::kRead && !std::filesystem::exists(path)) {
    throw base::InputError(path.string() + ": there is no such file; expected a " + what);
  }
  try {
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
  } catch (const SQLite::Exception& error) {
    throw_ours(error, path, errno);
  }
}

}  // namespace

SqliteFile::SqliteFile(std::filesystem::path path, StoreMode mode, const SqliteKind& kind)
    : path_(std::move(path)), database_(opened(path_, mode, kind.what)) {
  guarded([&](SQLite::Database& database) {
    if (mode == StoreMode::kRead) {
      check(kind);
      return;
    }
    make_or_check(kind);
    // The structure of all pages. Indices are not compared with the rows, which takes longer the
    // more there are.
    const std::string found = database.execAndGet("PRAGMA quick_check(1)").getString();
    if (found != "ok") throw base::InputError(path_.string() + ": damaged: " + found);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(std::string("PRAGMA synchronous = ") + kind.synchronous);
  });
}

void SqliteFile::rethrow(const SQLite::Exception& error) const {
  throw_ours(error, path_, system_error_of(database_.getHandle()));
}

void SqliteFile::check(const SqliteKind& kind) const {
  const std::string where = path_.string() + ": ", what = kind.what;
  if (database_.execAndGet("PRAGMA application_id").getInt() != kind.application_id) {
    throw base::InputError(where + "this is not a " + what);
  }
  const int version = database_.execAndGet("PRAGMA user_version").getInt();
  if (version != kind.version) {
    throw base::InputError(where + "a " + what + " of version " + std::to_string(version) +
                           ", expected " + std::to_string(kind.version));
  }
  const std::string tables =
      database_
          .execAndGet(
              "SELECT coalesce(group_concat(name), '') FROM (SELECT name FROM "
              "sqlite_master WHERE type <> 'index' ORDER BY name)")
          .getString();
  if (tables != kind.tables) throw base::InputError(where + "not the tables of a " + what);
}

// Makes one of an empty file; any other must be one already.
void SqliteFile::make_or_check(const SqliteKind& kind) const {
  SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
  if (database_.execAndGet("PRAGMA application_id").getInt() == 0 &&
      database_.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) {
    database_.exec(kind.schema);
    database_.exec("PRAGMA application_id = " + std::to_string(kind.application_id));
    database_.exec("PRAGMA user_version = " + std::to_string(kind.version));
  }
  check(kind);
  transaction.commit();
}

}  // namespace selfplay
