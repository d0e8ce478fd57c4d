#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/commands/parts/book_export.h"
#include "app/machine.h"
#include "app/named/paths.h"
#include "app/named/players.h"
#include "app/named/scoring_table.h"
#include "app/progress.h"
#include "app/protocols/book_json.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "book/alphabeta_searcher.h"
#include "book/book_file.h"
#include "book/grow.h"
#include "book/leaf_games.h"
#include "book/ways.h"
#include "nn/nnue_file.h"
#include "rules/notation.h"
#include "studies/estimates.h"

namespace app {
namespace {

constexpr double kMostHours = 10000;

struct BookCommand final : Command {
  std::string out = option(out, CommandOption("--out", "DIR", "the book's folder").mandatory());
  std::string net = option(
      net, {"--net", "NNUE", "what searches (default: the NNUE that comes with the program)"});
  int nodes = option(nodes, {"--nodes", "N", "nodes of a search"}, 400000);
  std::string hours =
      option(hours, CommandOption("--hours", "H", "grow for so many hours, such as 0.5")
                        .refused_by([](const std::string& text) {
                          const auto number = base::parse_number<double>(text);
                          const bool good = number && *number > 0 && *number <= kMostHours;
                          return good ? std::string() : "expected hours, such as 0.5";
                        }));
  std::optional<int> positions =
      option(positions, {"--positions", "N", "grow until it has so many positions"});
  std::string table = option(table, table_option(), "default");
  std::string fen = option(fen, {"--fen", "FEN", "where the book begins (default: the start)"});
  std::string html = option(html, {"--html", "FILE", "write it as one page, to browse"});
  std::string pgn = option(pgn, {"--pgn", "FILE", "write its lines as PGN"});
  std::string epd = option(epd, {"--epd", "FILE", "write its positions as EPD, with evaluations"});
  std::optional<int> games = option(
      games, CommandOption("--games", "N",
                           "estimate the start by so many games from where players leave the "
                           "book, at each of three temperatures")
                 .range(2, 1000000));
  int game_nodes = option(
      game_nodes, CommandOption("--game-nodes", "N", "nodes a move in them").only_with("--games"),
      10000);

  BookCommand()
      : Command("book", "grow an opening book with bounds; export it",
                "Grows until Ctrl-C (exit code 130) or a limit; the same command goes on, also "
                "after a kill.\nWith --html, --pgn, --epd or --games alone it only reads the book "
                "that is there.",
                true) {}
  int run(const CommonOptions& common) const override;

  bool only_reads() const {
    const bool writes = !html.empty() || !pgn.empty() || !epd.empty() || games;
    return writes && hours.empty() && !positions;
  }
};

struct LoadedNnue {
  std::uint64_t fingerprint;
  tactics::Evaluator evaluator;
};

LoadedNnue load_searcher(const BookCommand& asked, rules::RuleSet rules) {
  const std::string path = asked.net.empty() ? default_nnue().string() : asked.net;
  const nn::NnueFile file = nn::load_nnue(path);
  require_rules(file.repertoire, path, rules);
  return {nn::fingerprint(file.weights), tactics::Evaluator(nn::weights_to_play(file.weights))};
}

book::Terms terms_of(const BookCommand& asked, const CommonOptions& common,
                     const LoadedNnue& nnue) {
  book::Terms terms;
  const rules::RuleSet rules = common.rule_set();
  terms.start = asked.fen.empty() ? rules::Position::start(rules)
                                  : rules::Position::from_fen(asked.fen, rules);
  terms.table = scoring_table(asked.table, rules);
  if (terms.start.outcome(terms.table)) {
    throw base::InputError("book: --fen " + asked.fen + ": the game is over there");
  }
  terms.nodes = static_cast<std::uint64_t>(asked.nodes);
  terms.searcher =
      fmt::format("NNUE {:016x} by search {:016x}", nnue.fingerprint, tactics::kSearchVersion);
  return terms;
}

std::string bounds_text(const book::Bounds& bounds) {
  return fmt::format("White {:.2f} [{:.2f}, {:.2f}]", bounds.value, bounds.low, bounds.high);
}

// Grows the folder's book and returns it; `complete`: nothing is left to add.
book::Book grown(const BookCommand& asked, const CommonOptions& common, bool& complete) {
  const LoadedNnue nnue = load_searcher(asked, common.rule_set());
  const book::Terms terms = terms_of(asked, common, nnue);
  base::make_folder(asked.out);
  const base::FileLock lock(std::filesystem::path(asked.out) / "lock");
  if (!lock.is_held())
    throw base::EnvironmentError(asked.out + ": another process grows this book");
  book::BookFile file(asked.out, terms);
  book::Book book = file.load();
  const auto began = std::chrono::steady_clock::now();
  const int before = book.size();
  Progress progress;
  book::Growth growth{.threads = threads(common), .positions = asked.positions};
  if (!asked.hours.empty()) {
    const std::chrono::duration<double, std::ratio<3600>> time(
        *base::parse_number<double>(asked.hours));
    growth.until = began + std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
  }
  growth.stop = &stop_flag();
  growth.keep = [&](const book::Book& now, const book::Step& step) { file.append(now, step); };
  growth.on_step = [&](const book::Book& now) {
    const double speed = (now.size() - before) / std::max(base::seconds_since(began), 1e-3);
    progress.show(fmt::format("{} positions, depth {}, {}; {:.2f} positions/s", now.size(),
                              now.depth(), bounds_text(now.node(0).points), speed));
  };
  complete = book::grow(
      book,
      [&] {
        return std::make_unique<book::AlphaBetaSearcher>(nnue.evaluator, terms.table, terms.nodes,
                                                         &stop_flag());
      },
      growth);
  return book;
}

// The start's worth by games, at three temperatures: JSON and lines.
std::pair<nlohmann::ordered_json, std::string> estimates(const BookCommand& asked,
                                                         const CommonOptions& common,
                                                         const book::Book& book) {
  const LoadedNnue nnue = load_searcher(asked, book.terms().start.rule_set());
  auto json = nlohmann::ordered_json::array();
  std::string text;
  for (const double temperature : {0.05, 0.1, 0.3}) {
    const auto games = book::play_leaf_games(book, nnue.evaluator,
                                             {.temperature = temperature,
                                              .draws = *asked.games,
                                              .nodes = asked.game_nodes,
                                              .threads = threads(common),
                                              .seed = common.seed.value_or(1),
                                              .stop = &stop_flag()});
    std::vector<studies::Sample> samples;
    for (std::size_t i = 0; i < games.size(); ++i) {
      samples.insert(samples.end(), static_cast<std::size_t>(games[i].times),
                     {0, i, games[i].points_white});
    }
    const studies::Estimate points = studies::mean_within(samples, 0, 10);
    json.push_back(
        {{"temperature", temperature},
         {"games", samples.size()},
         {"leaves", games.size()},
         {"points_white", {{"mean", points.mean}, {"low", points.low}, {"high", points.high}}}});
    text += fmt::format(
        "by games, temperature {}: White {:.2f} [{:.2f}, {:.2f}], {} draws of {} leaves\n",
        temperature, points.mean, points.low, points.high, samples.size(), games.size());
  }
  return {json, text};
}

std::string book_text(const book::Book& book, bool complete) {
  std::string line;
  rules::Position position = book.terms().start;
  for (const rules::Move move : book::main_line(book, position, 0)) {
    line += " " + rules::to_san(position, move);
    position.play(move);
  }
  return fmt::format("{} positions, depth {}, {}{}\nmain line:{}\n", book.size(), book.depth(),
                     bounds_text(book.node(0).points), complete ? "; nothing is left to add" : "",
                     line);
}

int BookCommand::run(const CommonOptions& common) const {
  if (common.rule_set().entry == rules::Entry::kCard) {
    throw base::InputError("book: in " + common.rule_set().title() +
                           " cards decide what can be played; expected a game without chance");
  }
  bool complete = false;
  const book::Book book = only_reads() ? book::read_book(out) : grown(*this, common, complete);
  if (book.size() == 0) {
    if (stop_flag()) return kInterrupted;
    throw base::InputError(out + ": the book has no position yet");
  }
  if (!html.empty()) write_book_page(book, html);
  if (!pgn.empty()) write_book_pgn(book, pgn);
  if (!epd.empty()) write_book_epd(book, epd);
  nlohmann::ordered_json json = book_json(book);
  json["complete"] = complete;
  std::string text = book_text(book, complete);
  if (games) {
    auto [found, lines] = estimates(*this, common, book);
    json["by_games"] = std::move(found);
    text += lines;
  }
  print(common, json, text);
  return stop_flag() ? kInterrupted : kDone;
}

}  // namespace

std::unique_ptr<Command> book_command() { return std::make_unique<BookCommand>(); }

}  // namespace app
