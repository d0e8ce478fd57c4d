#include "app/commands/parts/book_export.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/named/pgn_file.h"
#include "app/protocols/book_json.h"
#include "base/files.h"
#include "book/ways.h"
#include "rules/notation.h"
#include "rules/pgn.h"
#include "training/page/page_files.h"

namespace app {
namespace {

std::string bounds_tag(const book::Bounds& bounds) {
  return fmt::format("[{:.3f}, {:.3f}]", bounds.low, bounds.high);
}

}  // namespace

void write_book_page(const book::Book& book, const std::string& file) {
  base::write_text(file, training::filled_page(
                             training::book_page(), {"base.css", "book.css"},
                             {{"about", book_json(book)}, {"nodes", book_positions_json(book)}}));
}

void write_book_pgn(const book::Book& book, const std::string& file) {
  PgnFile::require_writable(file);
  base::write_aside(file, [&](const std::filesystem::path& path) {
    PgnFile games(path.string());
    for (int i = 0; i < book.size(); ++i) {
      const book::Node& node = book.node(i);
      if (!node.edges.empty()) continue;
      rules::PgnGame game;
      game.event = "Opening book";
      game.round = std::to_string(i);
      game.rules = book.terms().start.rule_set();
      game.table = book.terms().table;
      game.start = book.terms().start;
      game.moves = book::way_to(book, i).moves;
      game.outcome = node.outcome;
      game.more_tags = {{"PointsWhite", fmt::format("{:.3f}", node.points.value)},
                        {"Bounds", bounds_tag(node.points)}};
      games.write(game);
    }
  });
}

void write_book_epd(const book::Book& book, const std::string& file) {
  std::string text;
  for (int i = 0; i < book.size(); ++i) {
    const book::Node& node = book.node(i);
    if (node.outcome) continue;
    std::string fen = node.position.to_fen();
    fen.erase(fen.rfind(' ', fen.rfind(' ') - 1));
    const double value = rules::value_stm(node.points.value, node.position.side_to_move());
    text +=
        fmt::format("{} bm {}; ce {}; c0 \"White {:.3f} {}\";\n", fen,
                    rules::to_san(node.position, book::main_line(book, node.position, i).front()),
                    std::lround(500 * value), node.points.value, bounds_tag(node.points));
  }
  base::write_text(file, text);
}

}  // namespace app
