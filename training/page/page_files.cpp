#include "training/page/page_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/asset.h"

// The files are named by the build.
SHARPZERO_ASSET(page_chart, SHARPZERO_CHART_LIBRARY);
SHARPZERO_ASSET(page_head, SHARPZERO_PAGE "/head.html");
SHARPZERO_ASSET(page_report, SHARPZERO_PAGE "/report_page.html");
SHARPZERO_ASSET(page_book, SHARPZERO_PAGE "/book_page.html");
SHARPZERO_ASSET(page_base, SHARPZERO_PAGE "/assets/base.css");
SHARPZERO_ASSET(page_run_style, SHARPZERO_PAGE "/assets/run.css");
SHARPZERO_ASSET(page_book_style, SHARPZERO_PAGE "/assets/book.css");
SHARPZERO_ASSET(page_dom, SHARPZERO_PAGE "/assets/dom.js");
SHARPZERO_ASSET(page_position, SHARPZERO_PAGE "/assets/position.js");
SHARPZERO_ASSET(page_pieces, SHARPZERO_PAGE "/assets/pieces.js");
SHARPZERO_ASSET(page_board, SHARPZERO_PAGE "/assets/board.js");
SHARPZERO_ASSET(page_moves, SHARPZERO_PAGE "/assets/moves.js");
SHARPZERO_ASSET(page_viewer, SHARPZERO_PAGE "/assets/viewer.js");
SHARPZERO_ASSET(page_plots, SHARPZERO_PAGE "/assets/plots.js");
SHARPZERO_ASSET(page_answers, SHARPZERO_PAGE "/assets/answers.js");
SHARPZERO_ASSET(page_run, SHARPZERO_PAGE "/assets/run.js");
SHARPZERO_ASSET(page_sunburst, SHARPZERO_PAGE "/assets/sunburst.js");
SHARPZERO_ASSET(page_book_view, SHARPZERO_PAGE "/assets/book.js");

namespace training {
namespace {

// The JSON for a script element, which a '<' could end.
std::string script_json(const nlohmann::ordered_json& value) {
  std::string out;
  for (const char c :
       value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    out += c == '<' ? "\\u003c" : std::string(1, c);
  }
  return out;
}

// The page's modules as one: a file that is opened from a disk cannot import others.
// REQUIRES: an import or export takes one line, and no two modules use a name at their top.
std::string one_module() {
  std::string out;
  for (const PageFile& file : page_files()) {
    if (!file.is_module()) continue;
    std::istringstream lines{std::string(file.content)};
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("import ")) continue;
      constexpr std::string_view kExport = "export ";
      out += line.starts_with(kExport) ? line.substr(kExport.size()) : line;
      out += '\n';
    }
  }
  return out;
}

}  // namespace

std::span<const PageFile> page_files() {
  static const PageFile kAll[]{
      {"chart.js", {page_chart_begin, page_chart_end}},
      {"base.css", {page_base_begin, page_base_end}},
      {"run.css", {page_run_style_begin, page_run_style_end}},
      {"book.css", {page_book_style_begin, page_book_style_end}},
      {"dom.js", {page_dom_begin, page_dom_end}},
      {"position.js", {page_position_begin, page_position_end}},
      {"pieces.js", {page_pieces_begin, page_pieces_end}},
      {"board.js", {page_board_begin, page_board_end}},
      {"moves.js", {page_moves_begin, page_moves_end}},
      {"viewer.js", {page_viewer_begin, page_viewer_end}},
      {"plots.js", {page_plots_begin, page_plots_end}},
      {"answers.js", {page_answers_begin, page_answers_end}},
      {"run.js", {page_run_begin, page_run_end}},
      {"sunburst.js", {page_sunburst_begin, page_sunburst_end}},
      {"book.js", {page_book_view_begin, page_book_view_end}},
  };
  return kAll;
}

std::string_view report_page() { return {page_report_begin, page_report_end}; }

std::string_view book_page() { return {page_book_begin, page_book_end}; }

std::string fill(std::string_view page, std::string_view mark, std::string_view content) {
  std::string out(page);
  if (const std::size_t at = page.find(mark); at != page.npos) {
    out.replace(at, mark.size(), content);
  }
  return out;
}

std::string with_head(std::string_view page) {
  return fill(page, "<!--HEAD-->\n", {page_head_begin, page_head_end});
}

std::string filled_page(std::string_view page, std::initializer_list<std::string_view> styles,
                        const nlohmann::ordered_json& data) {
  std::string style;
  for (const std::string_view name : styles) style += page_file(name);
  std::string filled = fill(with_head(page), "/*STYLE*/", style);
  filled = fill(filled, "/*CHART_LIBRARY*/", page_file("chart.js"));
  filled = fill(filled, "/*MODULES*/", one_module());
  // The data last: no comment is searched for in it.
  return fill(filled, "/*DATA*/", script_json(data));
}

std::string_view page_file(std::string_view name) {
  return std::ranges::find(page_files(), name, &PageFile::name)->content;
}

}  // namespace training
