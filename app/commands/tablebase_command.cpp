#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "app/command.h"
#include "app/machine.h"
#include "app/named/scoring_table.h"
#include "base/errors.h"
#include "base/memory.h"
#include "tablebase/build.h"
#include "tablebase/solver.h"

namespace app {
namespace {

struct TablebaseCommand final : Command {
  int men = option(men, CommandOption("--men", "N", "pieces on the board, kings included")
                            .range(2, tablebase::kMostPieces)
                            .mandatory());
  std::string out = option(
      out,
      CommandOption("--out", "DIR", "folder of the files, made where it is missing").mandatory());
  std::string table = option(table, table_option());
  bool verify = option(verify, {"--verify", "",
                                "compare each position with the best of its successors' (takes "
                                "half as long again)"});

  TablebaseCommand()
      : Command("tablebase", "solve all endings with few pieces exactly",
                "Writes a file for each ending, with nothing in reserve, promotions included. "
                "Ctrl-C stops,\n"
                "the same command continues: finished files are kept. Asked by --tablebase DIR of "
                "inspect,\n"
                "uci and others.",
                true) {}
  int run(const CommonOptions& common) const override;

 private:
  // How many threads have the memory.
  static int affordable(const tablebase::BuildPlan& plan, int wanted);
  int check(const tablebase::Build& build) const;
};

int TablebaseCommand::affordable(const tablebase::BuildPlan& plan, int wanted) {
  const std::uint64_t free = base::available_memory();
  const std::uint64_t fit = plan.memory == 0 ? 1 : free / plan.memory;
  if (fit == 0) {
    throw base::EnvironmentError(fmt::format("tablebase: {} MiB of memory are needed, {} are free",
                                             plan.memory >> 20, free >> 20));
  }
  return static_cast<int>(std::min<std::uint64_t>(fit, static_cast<std::uint64_t>(wanted)));
}

int TablebaseCommand::check(const tablebase::Build& build) const {
  for (const tablebase::Material& material : build.plan().materials) {
    const auto found = tablebase::contradictions(material, build.tables());
    if (found.found != 0) {
      throw base::InputError(
          fmt::format("{}: {} of {} positions are not worth the best of their successors', as {}",
                      tablebase::table_path(out, material).string(), found.found, found.positions,
                      found.first));
    }
    std::cerr << fmt::format("{}: {} positions verified\n", material.name(), found.positions);
  }
  return kDone;
}

int TablebaseCommand::run(const CommonOptions& common) const {
  const rules::RuleSet rules = common.rule_set();
  if (rules.entry == rules::Entry::kCard) {
    throw base::InputError("tablebase: --rules " + rules.name() + ": expected a set without cards");
  }
  tablebase::Build build(out, men, rules, scoring_table(table, rules));
  const tablebase::BuildPlan& plan = build.plan();
  const int workers = affordable(plan, threads(common));
  std::cerr << fmt::format(
      "endings with up to {} pieces, {}: {} files, {} of them to solve; about {:.1f} MiB on disk, "
      "{} MiB of memory, {:.0f} s on {} threads\n",
      men, rules.name(), plan.materials.size(), plan.missing,
      static_cast<double>(plan.bytes) / (1 << 20),
      (plan.memory * static_cast<std::uint64_t>(workers) >> 20) + 1, plan.seconds / workers,
      workers);
  nlohmann::ordered_json solved = nlohmann::ordered_json::array();
  const auto tell = [&](const tablebase::SolvedMaterial& each) {
    std::cerr << fmt::format("{}: {:.1f} s, {} KiB\n", each.material.name(), each.seconds,
                             (each.file_bytes >> 10) + 1);
    solved.push_back(
        {{"ending", each.material.name()}, {"seconds", each.seconds}, {"bytes", each.file_bytes}});
  };
  if (!build.run(workers, tell, [] { return stop_flag().load(); })) {
    std::cerr << "stopped: the same command continues\n";
    return kInterrupted;
  }
  if (verify) check(build);
  const nlohmann::ordered_json json{{"folder", out},         {"men", build.tables().pieces()},
                                    {"rules", rules.name()}, {"bytes", build.tables().bytes()},
                                    {"verified", verify},    {"solved", solved}};
  return print(common, json,
               fmt::format("{}: {} endings with up to {} pieces, {:.1f} MiB\n", out,
                           plan.materials.size(), build.tables().pieces(),
                           static_cast<double>(build.tables().bytes()) / (1 << 20)));
}

}  // namespace

std::unique_ptr<Command> tablebase_command() { return std::make_unique<TablebaseCommand>(); }

}  // namespace app
