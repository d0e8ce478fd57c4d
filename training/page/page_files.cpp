#include "training/page/page_files.h"

#include <algorithm>

#include "base/asset.h"

// The files are named by the build.
SHARPZERO_ASSET(page_chart, SHARPZERO_CHART_LIBRARY);
SHARPZERO_ASSET(page_report, SHARPZERO_PAGE "/report_page.html");
SHARPZERO_ASSET(page_base, SHARPZERO_PAGE "/assets/base.css");
SHARPZERO_ASSET(page_run_style, SHARPZERO_PAGE "/assets/run.css");
SHARPZERO_ASSET(page_dom, SHARPZERO_PAGE "/assets/dom.js");
SHARPZERO_ASSET(page_position, SHARPZERO_PAGE "/assets/position.js");
SHARPZERO_ASSET(page_pieces, SHARPZERO_PAGE "/assets/pieces.js");
SHARPZERO_ASSET(page_board, SHARPZERO_PAGE "/assets/board.js");
SHARPZERO_ASSET(page_moves, SHARPZERO_PAGE "/assets/moves.js");
SHARPZERO_ASSET(page_viewer, SHARPZERO_PAGE "/assets/viewer.js");
SHARPZERO_ASSET(page_plots, SHARPZERO_PAGE "/assets/plots.js");
SHARPZERO_ASSET(page_answers, SHARPZERO_PAGE "/assets/answers.js");
SHARPZERO_ASSET(page_run, SHARPZERO_PAGE "/assets/run.js");

namespace training {

std::span<const PageFile> page_files() {
  static const PageFile kAll[]{
      {"chart.js", {page_chart_begin, page_chart_end}},
      {"base.css", {page_base_begin, page_base_end}},
      {"run.css", {page_run_style_begin, page_run_style_end}},
      {"dom.js", {page_dom_begin, page_dom_end}},
      {"position.js", {page_position_begin, page_position_end}},
      {"pieces.js", {page_pieces_begin, page_pieces_end}},
      {"board.js", {page_board_begin, page_board_end}},
      {"moves.js", {page_moves_begin, page_moves_end}},
      {"viewer.js", {page_viewer_begin, page_viewer_end}},
      {"plots.js", {page_plots_begin, page_plots_end}},
      {"answers.js", {page_answers_begin, page_answers_end}},
      {"run.js", {page_run_begin, page_run_end}},
  };
  return kAll;
}

std::string_view report_page() { return {page_report_begin, page_report_end}; }

std::string_view page_file(std::string_view name) {
  return std::ranges::find(page_files(), name, &PageFile::name)->content;
}

}  // namespace training
