#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "selfplay/postgres_tables.h"

namespace selfplay {
namespace {

constexpr int kPage = 256;  // games that are read at once

// The columns of `games` that a program fills in.
constexpr std::array<const char*, 13> kColumns{
    "run",          "id",    "generation", "rules", "start_fen", "scoring_table", "outcome",
    "points_white", "ended", "plies",      "seed",  "lease",     "record"};
using Row = std::array<std::string, kColumns.size()>;

Row row_of(const IncomingGame& incoming, int run, std::int64_t id) {
  const GameRecord& game = *incoming.game;
  return {std::to_string(run),
          std::to_string(id),
          std::to_string(game.generation),
          game.rules.name(),
          game.start_fen,
          game.table.to_changes(game.rules.table()),
          std::string(rules::name(game.outcome)),
          base::shortest_text(game.table.white_points(game.outcome)),
          std::string(selfplay::name(game.ended)),
          std::to_string(game.plies.size()),
          std::to_string(static_cast<std::int64_t>(game.seed)),
          std::to_string(incoming.lease),
          incoming.record};
}

class PostgresGames final : public GameDatabase {
 public:
  PostgresGames(std::shared_ptr<PostgresConnection> connection, int run)
      : connection_(std::move(connection)), run_(run) {}

  std::string name() const override { return connection_->name(); }

  std::int64_t append(std::span<const GameRecord> records, Ids ids) override {
    std::vector<IncomingGame> games;
    for (const GameRecord& record : records) games.push_back({&record, bytea_of(encode(record))});
    return connection_->transact([&](pqxx::work& transaction) {
      return insert_games(transaction, run_, games, ids).first_id;
    });
  }

  std::int64_t count() const override { return ask("count(*)"); }
  std::int64_t last_id() const override { return ask("coalesce(max(id), 0)"); }

  void visit(const GameRange& range, const Visit& visit) const override {
    std::int64_t first = range.first_id, last = range.last_id;
    if (range.last) first = std::max(first, first_of_newest(range));
    for (;;) {
      const pqxx::result page = read_page(range, first, last);
      for (const auto& row : page) {
        const auto id = row[0].as<std::int64_t>();
        const std::string record = bytes_of(row[1]);
        if (!visit(id, std::as_bytes(std::span(record)))) return;
        (range.newest_first ? last : first) = range.newest_first ? id - 1 : id + 1;
      }
      if (static_cast<int>(page.size()) < kPage) return;
    }
  }

  std::int64_t prune(std::int64_t keep) override {
    return connection_->transact([&](pqxx::work& transaction) {
      const auto removed = transaction.exec_params(
          "DELETE FROM games WHERE run = $1 AND id <= (SELECT id FROM games WHERE run = $1 ORDER "
          "BY id DESC OFFSET $2 LIMIT 1)",
          run_, keep);
      return static_cast<std::int64_t>(removed.affected_rows());
    });
  }

 private:
  std::int64_t ask(const std::string& what) const {
    return connection_->transact([&](pqxx::work& transaction) {
      return transaction.exec_params1("SELECT " + what + " FROM games WHERE run = $1", run_)[0]
          .template as<std::int64_t>();
    });
  }

  // The smallest id of the newest `range.last` games of the range.
  std::int64_t first_of_newest(const GameRange& range) const {
    return connection_->transact([&](pqxx::work& transaction) {
      const auto row = transaction.exec_params1(
          "SELECT coalesce(min(id), $3::bigint + 1) FROM (SELECT id FROM games WHERE run = $1 AND "
          "id BETWEEN $2 AND $3 AND ($4 < 0 OR generation = $4) ORDER BY id DESC LIMIT $5) newest",
          run_, range.first_id, std::min(range.last_id, kLastId), range.generation.value_or(-1),
          *range.last);
      return row[0].template as<std::int64_t>();
    });
  }

  pqxx::result read_page(const GameRange& range, std::int64_t first, std::int64_t last) const {
    return connection_->transact([&](pqxx::work& transaction) {
      return transaction.exec_params(
          std::string("SELECT id, record FROM games WHERE run = $1 AND id BETWEEN $2 AND $3 AND "
                      "($4 < 0 OR generation = $4) ORDER BY id ") +
              (range.newest_first ? "DESC" : "ASC") + " LIMIT $5",
          run_, first, std::min(last, kLastId), range.generation.value_or(-1), kPage);
    });
  }

  static constexpr std::int64_t kLastId = std::int64_t{1} << 62;
  std::shared_ptr<PostgresConnection> connection_;
  int run_;
};

}  // namespace

Inserted insert_games(pqxx::work& transaction, int run, std::span<const IncomingGame> games,
                      GameDatabase::Ids ids) {
  // The row of the run is the lock of its ids.
  transaction.exec_params("SELECT FROM runs WHERE id = $1 FOR UPDATE", run);
  Inserted done;
  done.first_id =
      transaction.exec_params1("SELECT coalesce(max(id), 0) + 1 FROM games WHERE run = $1", run)[0]
          .as<std::int64_t>();
  if (games.empty()) return done;
  transaction.exec(
      "CREATE TEMP TABLE IF NOT EXISTS incoming (LIKE games INCLUDING DEFAULTS) ON COMMIT DELETE "
      "ROWS");
  std::vector<Row> rows;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const bool own = ids == GameDatabase::Ids::kOwn;
    rows.push_back(row_of(games[i], run,
                          own ? games[i].game->id : done.first_id + static_cast<std::int64_t>(i)));
  }
  copy_rows(transaction, "incoming", kColumns, rows);
  const auto inserted = transaction.exec(
      "INSERT INTO games SELECT * FROM incoming WHERE NOT EXISTS (SELECT FROM games had WHERE "
      "had.run = incoming.run AND had.id = incoming.id AND had.record = incoming.record) ORDER BY "
      "id ON CONFLICT (run, generation, seed) WHERE seed <> 0 DO NOTHING");
  transaction.exec("DELETE FROM incoming");
  done.count = static_cast<std::int64_t>(inserted.affected_rows());
  return done;
}

std::unique_ptr<GameDatabase> postgres_games(std::shared_ptr<PostgresConnection> connection,
                                             int run) {
  return std::make_unique<PostgresGames>(std::move(connection), run);
}

}  // namespace selfplay
