#include "book/book_file.h"

#include <SQLiteCpp/VariadicBind.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "base/errors.h"
#include "base/text.h"
#include "rules/error.h"
#include "rules/notation.h"

namespace book {
namespace {

const selfplay::SqliteKind kBooks{.application_id = 0x5323424f,  // "S#BO"
                                  .version = 1,
                                  .what = "book",
                                  .tables = "moves,positions,settings",
                                  .schema = R"(
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE positions (
  id INTEGER PRIMARY KEY,       -- from 0, the start
  fen TEXT NOT NULL,            -- of the mirror image that the book has
  own_clock INTEGER NOT NULL,   -- 1: the same position with another clock is another one
  move TEXT,                    -- the best that is not in the book (UCI); null: all are
  points_white REAL,            -- of ten, after it
  error REAL,                   -- half of the 95 % interval around them; 0: exact
  outcomes BLOB,                -- seven probabilities as float, from Black wins to White wins
  depth INTEGER, nodes INTEGER  -- of its search
);
CREATE TABLE moves (            -- of the book, in the order in which they came
  number INTEGER PRIMARY KEY, position INTEGER NOT NULL, move TEXT NOT NULL, child INTEGER NOT NULL
);
)",
                                  .synchronous = "NORMAL"};

// Binds move, points, error, outcomes, depth and nodes from ?1 on.
void bind_finding(SQLite::Statement& statement, const std::optional<Finding>& rest) {
  statement.tryReset();
  statement.clearBindings();
  if (!rest) return;
  SQLite::bind(statement, rules::to_uci(rest->move), rest->points_white, rest->error);
  statement.bind(4, rest->outcomes.data(), sizeof rest->outcomes);
  statement.bind(5, rest->depth);
  statement.bind(6, static_cast<std::int64_t>(rest->nodes));
}

// Reads the same, in the same order, from the column `first` on.
std::optional<Finding> finding(SQLite::Statement& row, int first, const rules::Position& position) {
  const auto column = [&](int i) { return row.getColumn(first + i); };
  if (column(0).isNull()) return std::nullopt;
  Finding found;
  found.move = rules::parse_uci(position, column(0).getString());
  found.points_white = column(1).getDouble();
  found.error = column(2).getDouble();
  if (column(3).getBytes() != sizeof found.outcomes || !(found.error >= 0) ||
      !std::isfinite(found.error) || !(found.points_white >= 0 && found.points_white <= 10)) {
    throw base::InputError("expected points of ten, an error and seven probabilities");
  }
  std::memcpy(found.outcomes.data(), column(3).getBlob(), sizeof found.outcomes);
  found.depth = column(4).getInt();
  found.nodes = static_cast<std::uint64_t>(column(5).getInt64());
  return found;
}

std::vector<Node> read_nodes(SQLite::Database& database, rules::RuleSet rules) {
  std::vector<Node> nodes;
  SQLite::Statement rows(database,
                         "SELECT id, fen, own_clock, move, points_white, error, outcomes, depth, "
                         "nodes FROM positions ORDER BY id");
  while (rows.executeStep()) {
    const std::string name = "position " + std::to_string(nodes.size()) + ": ";
    if (rows.getColumn(0).getInt64() != std::ssize(nodes)) {
      throw base::InputError(name + "expected one of this number");
    }
    try {
      Node node{rules::Position::from_fen(rows.getColumn(1).getString(), rules)};
      node.own_clock = rows.getColumn(2).getInt() != 0;
      node.rest = finding(rows, 3, node.position);
      nodes.push_back(std::move(node));
    } catch (const std::runtime_error& error) {
      throw base::InputError(name + error.what());
    }
  }
  SQLite::Statement moves(database, "SELECT position, move, child FROM moves ORDER BY number");
  while (moves.executeStep()) {
    const std::int64_t at = moves.getColumn(0).getInt64();
    if (at < 0 || at >= std::ssize(nodes)) {
      throw base::InputError("a move of position " + std::to_string(at) + ", which is missing");
    }
    Node& node = nodes[static_cast<std::size_t>(at)];
    node.edges.push_back({rules::parse_uci(node.position, moves.getColumn(1).getString()),
                          moves.getColumn(2).getInt()});
  }
  return nodes;
}

}  // namespace

bool has_book(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::is_regular_file(folder / kBookFile, none);
}

BookFile::BookFile(const std::filesystem::path& folder, selfplay::StoreMode mode)
    : file_(folder / kBookFile, mode, kBooks) {}

BookFile::BookFile(const std::filesystem::path& folder, const Terms& terms)
    : BookFile(folder, selfplay::StoreMode::kWrite) {
  const rules::RuleSet rules = terms.start.rule_set();
  const std::pair<const char*, std::string> ours[]{{"rules", rules.name()},
                                                   {"table", terms.table.to_changes(rules.table())},
                                                   {"start", terms.start.to_fen()},
                                                   {"nodes", std::to_string(terms.nodes)},
                                                   {"searcher", terms.searcher}};
  file_.with([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    if (database.execAndGet("SELECT count(*) FROM settings").getInt() == 0) {
      for (const auto& [name, value] : ours) {
        SQLite::Statement row(database, "INSERT INTO settings VALUES (?, ?)");
        SQLite::bind(row, name, value);
        row.exec();
      }
    }
    transaction.commit();
  });
  for (const auto& [name, value] : ours) {
    if (const std::string known = setting(name); known != value) {
      throw base::InputError(file_.path().string() + ": a book of " + name + " " + known +
                             ", expected " + value);
    }
  }
}

std::string BookFile::setting(const char* name) const {
  return file_.with([&](SQLite::Database& database) {
    SQLite::Statement row(database, "SELECT value FROM settings WHERE name = ?");
    row.bind(1, name);
    if (!row.executeStep()) {
      throw base::InputError(file_.path().string() + ": damaged: expected the setting " + name);
    }
    return row.getColumn(0).getString();
  });
}

Terms BookFile::terms() const {
  const rules::RuleSet rules = rules::RuleSet::parse(setting("rules"));
  const auto nodes = base::whole_number("nodes", setting("nodes"), 1, std::int64_t{1} << 53);
  return {.start = rules::Position::from_fen(setting("start"), rules),
          .table = rules::ScoringTable::from_changes(setting("table"), rules.table()),
          .nodes = static_cast<std::uint64_t>(nodes),
          .searcher = setting("searcher")};
}

Book BookFile::load() const {
  try {
    Book book(terms());
    book.load(file_.with([&](SQLite::Database& database) {
      SQLite::Transaction same_moment(database);
      return read_nodes(database, book.terms().start.rule_set());
    }));
    return book;
  } catch (const std::runtime_error& error) {
    const std::string where = file_.path().string() + ": ";
    if (std::string(error.what()).starts_with(where)) throw;
    throw base::InputError(where + "damaged: " + error.what());
  }
}

void BookFile::append(const Book& before, const Step& step) {
  file_.with([&](SQLite::Database& database) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const auto add_move = [&](int position, const Edge& edge) {
      SQLite::Statement row(database, "INSERT INTO moves (position, move, child) VALUES (?, ?, ?)");
      SQLite::bind(row, position, rules::to_uci(edge.move), edge.to);
      row.exec();
    };
    if (step.entering) {
      SQLite::Statement row(database,
                            "INSERT INTO positions (move, points_white, error, outcomes, depth, "
                            "nodes, id, fen, own_clock) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
      bind_finding(row, step.entering->rest);
      row.bind(7, before.size());
      row.bind(8, step.entering->position.to_fen());
      row.bind(9, step.entering->own_clock ? 1 : 0);
      row.exec();
      for (const Edge& edge : step.entering->edges) add_move(before.size(), edge);
    }
    if (step.at >= 0) {
      add_move(step.at, step.edge);
      SQLite::Statement row(database,
                            "UPDATE positions SET move = ?, points_white = ?, error = ?, outcomes "
                            "= ?, depth = ?, nodes = ? WHERE id = ?");
      bind_finding(row, step.rest);
      row.bind(7, step.at);
      row.exec();
    }
    transaction.commit();
  });
}

}  // namespace book
