#include "training/page/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "base/asset.h"
#include "base/files.h"
#include "training/page/page_files.h"
#include "training/page/report_data.h"

// The file is named by the build.
SHARPZERO_ASSET(sharpzero_report_page, SHARPZERO_REPORT_PAGE);

namespace training {
namespace {

namespace fs = std::filesystem;

// The JSON for a script element, which a '<' could end.
std::string script_json(const nlohmann::ordered_json& value) {
  std::string out;
  for (const char c :
       value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    out += c == '<' ? "\\u003c" : std::string(1, c);
  }
  return out;
}

// `page` with the comment /*NAME*/ replaced.
std::string fill(std::string_view page, const std::string& name, std::string_view content) {
  const std::string mark = "/*" + name + "*/";
  const std::size_t at = page.find(mark);
  std::string out(page.substr(0, at));
  out += content;
  out += page.substr(at + mark.size());
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

fs::path write_report(const fs::path& folder, const selfplay::GameStore* games) {
  const nlohmann::ordered_json data = report_data(folder, games);
  std::string page(sharpzero_report_page_begin, sharpzero_report_page_end);
  page =
      fill(page, "STYLE", std::string(page_file("base.css")) + std::string(page_file("run.css")));
  page = fill(page, "CHART_LIBRARY", page_file("chart.js"));
  page = fill(page, "MODULES", one_module());
  // The data last: no comment is searched for in it.
  base::write_text(folder / "report.html", fill(page, "RUN_DATA", script_json(data)));
  return folder / "report.html";
}

}  // namespace training
