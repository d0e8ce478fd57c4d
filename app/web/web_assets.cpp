#include "app/web/web_assets.h"

#include <utility>

#include "base/asset.h"
#include "training/page/page_files.h"

SHARPZERO_ASSET(web_index, SHARPZERO_WEB "/index.html");
SHARPZERO_ASSET(web_header, SHARPZERO_WEB "/header.html");
SHARPZERO_ASSET(web_watch_page, SHARPZERO_WEB "/watch.html");
SHARPZERO_ASSET(web_ask_page, SHARPZERO_WEB "/ask.html");
SHARPZERO_ASSET(web_findings_page, SHARPZERO_WEB "/findings.html");
SHARPZERO_ASSET(web_book_page, SHARPZERO_WEB "/book.html");
SHARPZERO_ASSET(web_rules_page, SHARPZERO_WEB "/rules.html");
SHARPZERO_ASSET(web_style, SHARPZERO_WEB "/style.css");
SHARPZERO_ASSET(web_main, SHARPZERO_WEB "/main.js");
SHARPZERO_ASSET(web_analysis, SHARPZERO_WEB "/analysis.js");
SHARPZERO_ASSET(web_server_script, SHARPZERO_WEB "/server.js");
SHARPZERO_ASSET(web_watch, SHARPZERO_WEB "/watch.js");
SHARPZERO_ASSET(web_ask, SHARPZERO_WEB "/ask.js");
SHARPZERO_ASSET(web_findings, SHARPZERO_WEB "/findings.js");
SHARPZERO_ASSET(web_browse, SHARPZERO_WEB "/browse.js");
SHARPZERO_ASSET(web_rules, SHARPZERO_WEB "/rules.js");
SHARPZERO_ASSET(web_icon, SHARPZERO_WEB "/icon.svg");
SHARPZERO_ASSET(web_marked, SHARPZERO_MARKED_LIBRARY);
SHARPZERO_ASSET(findings_text, SHARPZERO_FINDINGS ".md");
SHARPZERO_ASSET(findings_first_move, SHARPZERO_FINDINGS "/first_move.svg");
SHARPZERO_ASSET(findings_openings, SHARPZERO_FINDINGS "/openings.svg");
SHARPZERO_ASSET(findings_outcomes, SHARPZERO_FINDINGS "/outcomes.svg");
SHARPZERO_ASSET(findings_pieces, SHARPZERO_FINDINGS "/pieces.svg");
SHARPZERO_ASSET(findings_sweep, SHARPZERO_FINDINGS "/sweep.svg");

namespace app {
namespace {

constexpr std::string_view kPage = "text/html; charset=utf-8";
constexpr std::string_view kScript = "text/javascript; charset=utf-8";
constexpr std::string_view kPicture = "image/svg+xml";
constexpr std::string_view kStyle = "text/css; charset=utf-8";

// A page with the header that all but the first have, in which its own link is marked.
WebAsset page(const std::string& path, std::string_view content) {
  std::string header(web_header_begin, web_header_end);
  const std::string link = "href=\"" + path + "\"";
  header.insert(header.find(link) + link.size(), " aria-current=\"page\"");
  return {path, kPage, training::fill(training::with_head(content), "<!--HEADER-->", header)};
}

std::vector<WebAsset> all_assets() {
  std::vector<WebAsset> all{
      {"/", kPage, training::with_head({web_index_begin, web_index_end})},
      page("/watch", {web_watch_page_begin, web_watch_page_end}),
      page("/ask", {web_ask_page_begin, web_ask_page_end}),
      page("/findings", {web_findings_page_begin, web_findings_page_end}),
      page("/book", {web_book_page_begin, web_book_page_end}),
      page("/rules", {web_rules_page_begin, web_rules_page_end}),
      {"/style.css", kStyle, {web_style_begin, web_style_end}},
      {"/main.js", kScript, {web_main_begin, web_main_end}},
      {"/analysis.js", kScript, {web_analysis_begin, web_analysis_end}},
      {"/server.js", kScript, {web_server_script_begin, web_server_script_end}},
      {"/watch.js", kScript, {web_watch_begin, web_watch_end}},
      {"/ask.js", kScript, {web_ask_begin, web_ask_end}},
      {"/findings.js", kScript, {web_findings_begin, web_findings_end}},
      {"/browse.js", kScript, {web_browse_begin, web_browse_end}},
      {"/rules.js", kScript, {web_rules_begin, web_rules_end}},
      {"/icon.svg", kPicture, {web_icon_begin, web_icon_end}},
      {"/marked.js", kScript, {web_marked_begin, web_marked_end}},
      {"/findings.md", "text/markdown; charset=utf-8", {findings_text_begin, findings_text_end}},
      {"/findings/first_move.svg", kPicture, {findings_first_move_begin, findings_first_move_end}},
      {"/findings/openings.svg", kPicture, {findings_openings_begin, findings_openings_end}},
      {"/findings/outcomes.svg", kPicture, {findings_outcomes_begin, findings_outcomes_end}},
      {"/findings/pieces.svg", kPicture, {findings_pieces_begin, findings_pieces_end}},
      {"/findings/sweep.svg", kPicture, {findings_sweep_begin, findings_sweep_end}},
  };
  for (const training::PageFile& file : training::page_files()) {
    all.push_back({"/" + std::string(file.name), file.name.ends_with(".css") ? kStyle : kScript,
                   std::string(file.content)});
  }
  return all;
}

}  // namespace

const std::vector<WebAsset>& web_assets() {
  static const std::vector<WebAsset> kAll = all_assets();
  return kAll;
}

}  // namespace app
