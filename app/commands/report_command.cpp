#include <nlohmann/json.hpp>

#include "app/command.h"
#include "training/page/report.h"

namespace app {
namespace {

struct Report final : Command {
  std::string of_run =
      option(of_run, CommandOption("--run", "DIR", "run folder, or a study's own").mandatory());

  Report()
      : Command("report", "write a run's report.html: curves, ratings, games, what studies found") {
  }
  int run(const CommonOptions& common) const override;
};

int Report::run(const CommonOptions& common) const {
  const std::string page = training::write_report(of_run).string();
  return print(common, {{"report", page}}, page + "\n");
}

}  // namespace

std::unique_ptr<Command> report_command() { return std::make_unique<Report>(); }

}  // namespace app
