#include "training/report.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/program.h"

namespace app {

int run_report(const Options& options) {
  const std::string page = training::write_report(options.report.run).string();
  if (options.common.json) {
    std::cout << nlohmann::json{{"report", page}} << "\n";
  } else {
    std::cout << page << "\n";
  }
  return kDone;
}

}  // namespace app
