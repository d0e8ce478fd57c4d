#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/command.h"
#include "app/named/pgn_file.h"
#include "app/named/stores.h"
#include "base/errors.h"
#include "base/files.h"
#include "rules/notation.h"
#include "selfplay/game_pgn.h"
#include "selfplay/game_store.h"

namespace app {
namespace {

struct Games final : Command {
  std::string of_run = option(
      of_run, CommandOption("--run", "DIR", "run folder; with --store the run's name").mandatory());
  std::string store =
      option(store, {"--store", "URL", "the games are in a PostgreSQL store: postgresql://…"});
  std::optional<int> generation =
      option(generation, CommandOption("--generation", "N", "only the games of this generation")
                             .range(0, CommandOption::kMost));
  std::optional<int> last = option(
      last,
      CommandOption("--last", "N", "only the newest N of them").range(0, CommandOption::kMost));
  std::string pgn = option(pgn, {"--pgn", "FILE", "write them to this file as PGN (- for stdout)"});
  std::string dialect = option(
      dialect,
      CommandOption("--dialect", "",
                    "the PGN's tags and results: our own, or what the app of Chess#'s inventor "
                    "reads")
          .one_of({"own", "app"})
          .only_with("--pgn"),
      "own");
  std::string read = option(
      read,
      CommandOption("--read", "FILE",
                    "add the finished games of this PGN file, with the seeds that --pgn wrote, "
                    "to DIR/games.db; games that cannot be read are named and left out (exit "
                    "code 1)")
          .without({"--pgn", "--store"}));

  Games() : Command("games", "list a run's games, write or read them as PGN") {}
  int run(const CommonOptions& common) const override;
};

using selfplay::GameRecord;

double points_white(const GameRecord& game) { return game.table.white_points(game.outcome); }

void print_json(const GameRecord& game) {
  nlohmann::ordered_json moves = nlohmann::ordered_json::array();
  for (const auto& ply : game.plies) moves.push_back(rules::to_uci(ply.played));
  std::cout << nlohmann::ordered_json{{"id", game.id},
                                      {"generation", game.generation},
                                      {"rules", game.rules.name()},
                                      {"start_fen", game.start_fen},
                                      {"moves", std::move(moves)},
                                      {"outcome", rules::name(game.outcome)},
                                      {"points_white", points_white(game)},
                                      {"table", game.table.to_changes(game.rules.table())},
                                      {"ended", selfplay::name(game.ended)}}
            << "\n";
}

void print_row(const GameRecord& game) {
  const bool own_table = game.table != game.rules.table();
  std::cout << fmt::format(
      "{:>9} {:>10} {:>5} {:>6.2f} : {:<5.2f}  {} ({}){}\n", game.id, game.generation,
      game.plies.size(), points_white(game), 10 - points_white(game), rules::name(game.outcome),
      selfplay::name(game.ended), own_table ? ", under a table of its own" : "");
}

// All games or, where one cannot be read, nothing. What is no plain file gets them as they are
// read.
void write_pgn(const selfplay::GameStore& store, const selfplay::GameRange& filter,
               const std::string& path, rules::PgnDialect dialect) {
  const auto write = [&](const std::string& file) {
    PgnFile pgn(file, dialect);
    store.visit(filter, [&](const GameRecord& game) {
      pgn.write(selfplay::pgn_game(game));
      return true;
    });
  };
  if (path == "-") return write(path);
  PgnFile::require_writable(path);
  base::write_aside(path, write);
}

// Adds the finished games; those that are there are left out. Games that cannot be read are named
// on stderr.
int read_pgn(const std::string& path, const CommonOptions& common, const std::string& folder) {
  std::vector<std::string> refused;
  std::vector<GameRecord> games = selfplay::read_pgn(path, common.rule_set(), &refused);
  base::make_folder(folder);
  selfplay::GameStore store(std::filesystem::path(folder) / selfplay::kGamesFile,
                            selfplay::StoreMode::kWrite);
  const auto before = store.count();
  store.append(games);
  const auto added = store.count() - before;
  for (const std::string& line : refused) std::cerr << line << "\n";
  nlohmann::ordered_json json{{"read", games.size()}, {"added", added}};
  std::string text = fmt::format("{} games read, {} of them new", games.size(), added);
  if (!refused.empty()) {
    json["refused"] = refused.size();
    text += fmt::format(", {} refused", refused.size());
  }
  print(common, json, text + "\n");
  return refused.empty() ? kDone : kAnswerIsNo;
}

int Games::run(const CommonOptions& common) const {
  if (common.json && !pgn.empty()) {
    throw base::InputError("games: --json and --pgn: expected one of them");
  }
  if (!read.empty()) return read_pgn(read, common, of_run);
  const OpenStore opened = store.empty() ? open_store(of_run, "", selfplay::StoreMode::kRead)
                                         : open_store(store, of_run, selfplay::StoreMode::kRead);
  const selfplay::GameStore& games = *opened.games;
  const selfplay::GameRange filter{.generation = generation, .last = last};
  if (!pgn.empty()) {
    const bool app = dialect == "app";
    write_pgn(games, filter, pgn, app ? rules::PgnDialect::kApp : rules::PgnDialect::kOwn);
    return kDone;
  }
  const bool json = common.json;
  if (!json) std::cout << "       id generation plies White : Black  outcome (ended by)\n";
  games.visit(filter, [&](const GameRecord& game) {
    json ? print_json(game) : print_row(game);
    return static_cast<bool>(std::cout);
  });
  return kDone;
}

}  // namespace

std::unique_ptr<Command> games_command() { return std::make_unique<Games>(); }

}  // namespace app
