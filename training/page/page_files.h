#pragma once
// The files that the report and the page of `serve` share. They are part of the program.

#include <span>
#include <string_view>

namespace training {

struct PageFile {
  std::string_view name;
  std::string_view content;
  // Whether it is one of our modules. A module stands behind those that it imports.
  bool is_module() const { return name.ends_with(".js") && name != "chart.js"; }
};

std::span<const PageFile> page_files();
// The report's own page, which report.cpp fills in.
std::string_view report_page();
// The content of that file. REQUIRES: there is one.
std::string_view page_file(std::string_view name);

}  // namespace training
