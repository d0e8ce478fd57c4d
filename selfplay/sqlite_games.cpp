#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <string>

#include "selfplay/game_store.h"
#include "selfplay/sqlite_file.h"

namespace selfplay {
namespace {

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

const SqliteKind kGames{.application_id = 0x53234742,  // "S#GB"
                        .version = 1,
                        .what = "store of games",
                        .tables = "games",
                        .schema = kSqliteSchema,
                        .synchronous = "FULL"};  // a checkpoint must not outlive its games

class SqliteGames final : public GameDatabase {
 public:
  SqliteGames(const std::filesystem::path& path, StoreMode mode) : file_(path, mode, kGames) {}

  std::string name() const override { return file_.path().string(); }

  std::int64_t append(std::span<const GameRecord> records, Ids ids) override {
    return file_.with([&](SQLite::Database& database) {
      SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
      const std::int64_t first =
          database.execAndGet("SELECT coalesce(max(id), 0) + 1 FROM games").getInt64();
      for (const GameRecord& record : records) insert(database, record, ids);
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
    file_.with([&](SQLite::Database& database) {
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
    return file_.with([&](SQLite::Database& database) {
      SQLite::Statement removal(database,
                                "DELETE FROM games WHERE id <= (SELECT id FROM games ORDER BY id "
                                "DESC LIMIT 1 OFFSET ?)");
      removal.bind(1, keep);
      return static_cast<std::int64_t>(removal.exec());
    });
  }

 private:
  void insert(SQLite::Database& database, const GameRecord& record, Ids ids) {
    if (!insertion_) {
      insertion_ = std::make_unique<SQLite::Statement>(
          database,
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

  // The number that the query gives.
  std::int64_t ask(const char* query) const {
    return file_.with([&](SQLite::Database& db) { return db.execAndGet(query).getInt64(); });
  }

  SqliteFile file_;
  std::unique_ptr<SQLite::Statement> insertion_;  // goes before the database
};

}  // namespace

std::unique_ptr<GameDatabase> sqlite_games(const std::filesystem::path& file, StoreMode mode) {
  return std::make_unique<SqliteGames>(file, mode);
}

}  // namespace selfplay
