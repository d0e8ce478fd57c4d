#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/program.h"
#include "training/page/report.h"

namespace app {

int run_report(const Options& options) {
  const std::string page = training::write_report(options.report.run).string();
  return print(options.common, {{"report", page}}, page + "\n");
}

}  // namespace app
