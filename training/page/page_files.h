#pragma once
// The files that the report and the page of `serve` share. They are part of the program.

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace training {

struct PageFile {
  std::string_view name;
  std::string_view content;
  // Whether it is one of our modules. A module stands behind those that it imports.
  bool is_module() const { return name.ends_with(".js") && name != "chart.js"; }
};

std::span<const PageFile> page_files();
// The page of a run's report.
std::string_view report_page();
// The page of an opening book by itself.
std::string_view book_page();
// `page` with the first `mark` in it, a comment, replaced, where it has one.
std::string fill(std::string_view page, std::string_view mark, std::string_view content);
// A page with the beginning that all have, from <!DOCTYPE html> on, in the place of its first line,
// <!--HEAD-->.
std::string with_head(std::string_view page);
// One of these two as one self-contained file: with these styles, all modules, and the data.
std::string filled_page(std::string_view page, std::initializer_list<std::string_view> styles,
                        const nlohmann::ordered_json& data);
// The content of that file. REQUIRES: there is one.
std::string_view page_file(std::string_view name);

}  // namespace training
