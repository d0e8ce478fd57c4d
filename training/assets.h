#pragma once
// Files built into the program.

#include <string_view>

namespace training {

std::string_view report_page();    // training/report_page.html
std::string_view chart_library();  // Chart.js

}  // namespace training
