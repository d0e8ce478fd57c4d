#include "app/web_assets.h"

#include "base/asset.h"

SHARPZERO_ASSET(web_index, SHARPZERO_WEB "/index.html");
SHARPZERO_ASSET(web_style, SHARPZERO_WEB "/style.css");
SHARPZERO_ASSET(web_main, SHARPZERO_WEB "/main.js");
SHARPZERO_ASSET(web_board, SHARPZERO_WEB "/board.js");
SHARPZERO_ASSET(web_pieces, SHARPZERO_WEB "/pieces.js");
SHARPZERO_ASSET(web_position, SHARPZERO_WEB "/position.js");
SHARPZERO_ASSET(web_analysis, SHARPZERO_WEB "/analysis.js");
SHARPZERO_ASSET(web_icon, SHARPZERO_WEB "/icon.svg");

namespace app {

std::span<const WebAsset> web_assets() {
  static constexpr std::string_view kScript = "text/javascript; charset=utf-8";
  static const WebAsset kAll[]{
      {"/", "text/html; charset=utf-8", {web_index_begin, web_index_end}},
      {"/style.css", "text/css; charset=utf-8", {web_style_begin, web_style_end}},
      {"/main.js", kScript, {web_main_begin, web_main_end}},
      {"/board.js", kScript, {web_board_begin, web_board_end}},
      {"/pieces.js", kScript, {web_pieces_begin, web_pieces_end}},
      {"/position.js", kScript, {web_position_begin, web_position_end}},
      {"/analysis.js", kScript, {web_analysis_begin, web_analysis_end}},
      {"/icon.svg", "image/svg+xml", {web_icon_begin, web_icon_end}},
  };
  return kAll;
}

}  // namespace app
