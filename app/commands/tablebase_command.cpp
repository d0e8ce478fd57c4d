#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/commands/parts/inspection.h"
#include "app/machine.h"
#include "app/named/scoring_table.h"
#include "base/errors.h"
#include "base/memory.h"
#include "base/threads.h"
#include "tablebase/build.h"
#include "tablebase/survey.h"

namespace app {
namespace {

// A line for each ending and side to move: the outcomes that come, in percent.
std::string counts_text(const nlohmann::ordered_json& counts) {
  std::string text;
  for (const auto& ending : counts) {
    for (const char* const side : {"white", "black"}) {
      const auto positions = ending[std::string(side) + "_to_move"].get<std::vector<double>>();
      const double all = std::accumulate(positions.begin(), positions.end(), 0.0);
      text += fmt::format("{:<8} {} to move", ending["ending"].get<std::string>(), side);
      for (std::size_t i = positions.size(); i-- > 0;) {
        if (positions[i] == 0) continue;
        text += fmt::format(", {} {:.2f} %", rules::name(static_cast<rules::Outcome>(i)),
                            100 * positions[i] / all);
      }
      text += '\n';
    }
  }
  return text;
}

struct TablebaseCommand final : Command {
  std::optional<int> men = option(men, CommandOption("--men", "N",
                                                     "solve all endings with up to so many pieces "
                                                     "on the board, kings included")
                                           .range(2, tablebase::kMostPieces));
  std::string out = option(
      out,
      CommandOption("--out", "DIR", "folder of the files, made where it is missing").mandatory());
  std::string table = option(table, table_option());
  bool verify = option(verify, {"--verify", "",
                                "compare each position with the best of its successors' (takes "
                                "as long again)"});
  bool count = option(count, {"--count", "",
                              "count each ending's positions by their outcome, for either side to "
                              "move, those left out in which it can take the king"});
  std::string fen = option(
      fen, CommandOption("--fen", "FEN", "solve nothing, but say what the files know of a position")
               .without({"--men", "--verify", "--count"}));

  TablebaseCommand()
      : Command("tablebase", "solve all endings with few pieces exactly",
                "Writes a file for each ending, with nothing in reserve, promotions included. "
                "Ctrl-C stops,\n"
                "the same command continues: finished files are kept. Asked by --tablebase DIR of "
                "inspect,\n"
                "uci and others, and here by --fen.",
                true) {}
  int run(const CommonOptions& common) const override;

 private:
  // How many threads have the memory.
  static int affordable(const tablebase::BuildPlan& plan, int wanted);
  int solve(const CommonOptions& common, rules::RuleSet rules) const;
  void check(const tablebase::Build& build, int workers) const;
  static nlohmann::ordered_json counted(const tablebase::Build& build, int workers);
  int ask(const CommonOptions& common, rules::RuleSet rules) const;
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

void TablebaseCommand::check(const tablebase::Build& build, int workers) const {
  const auto& materials = build.plan().materials;
  std::mutex telling;
  base::for_each_index(materials.size(), workers, [&](std::size_t i) {
    if (stop_flag()) return;
    const auto found = tablebase::contradictions(materials[i], build.tables());
    if (found.found != 0) {
      throw base::InputError(
          fmt::format("{}: {} of {} positions are not worth the best of their successors', as {}",
                      tablebase::table_path(out, materials[i]).string(), found.found,
                      found.positions, found.first));
    }
    const std::lock_guard lock(telling);
    std::cerr << fmt::format("{}: {} positions verified\n", materials[i].name(), found.positions);
  });
}

nlohmann::ordered_json TablebaseCommand::counted(const tablebase::Build& build, int workers) {
  const auto& materials = build.plan().materials;
  std::vector<tablebase::OutcomeCounts> counts(materials.size());
  base::for_each_index(materials.size(), workers, [&](std::size_t i) {
    if (!stop_flag()) counts[i] = tablebase::count_outcomes(materials[i], build.tables());
  });
  const rules::ScoringTable& table = build.tables().table();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    all.push_back({{"ending", materials[i].name()},
                   {"impasse", rules::name(materials[i].impasse(table))},
                   {"white_to_move", counts[i][0]},
                   {"black_to_move", counts[i][1]}});
  }
  return all;
}

int TablebaseCommand::ask(const CommonOptions& common, rules::RuleSet rules) const {
  const auto tables = tablebase::load(out, rules, scoring_table(table, rules));
  const auto position = rules::Position::from_fen(fen, rules);
  const auto known = known_of(position, *tables);
  if (known.is_null()) {
    throw base::InputError(fmt::format(
        "tablebase: --fen {}: expected a position with at most {} pieces, none in reserve, that is "
        "not over",
        fen, tables->pieces()));
  }
  return print(common, known, known_text(known));
}

int TablebaseCommand::solve(const CommonOptions& common, rules::RuleSet rules) const {
  tablebase::Build build(out, *men, rules, scoring_table(table, rules));
  const tablebase::BuildPlan& plan = build.plan();
  const int workers = affordable(plan, threads(common));
  std::cerr << fmt::format(
      "endings with up to {} pieces, {}: {} files, {} of them to solve; about {:.1f} MiB on disk, "
      "{} MiB of memory, {:.0f} s on {} threads\n",
      *men, rules.title(), plan.materials.size(), plan.missing,
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
  bool done = build.run(workers, tell, [] { return stop_flag().load(); });
  if (done && verify) check(build, workers);
  nlohmann::ordered_json json{{"folder", out},         {"men", build.tables().pieces()},
                              {"rules", rules.name()}, {"bytes", build.tables().bytes()},
                              {"verified", verify},    {"solved", solved}};
  if (done && count) json["counts"] = counted(build, workers);
  if (!done || stop_flag()) {
    std::cerr << "stopped: the same command continues\n";
    return kInterrupted;
  }
  std::string text =
      fmt::format("{}: {} endings with up to {} pieces, {:.1f} MiB\n", out, plan.materials.size(),
                  build.tables().pieces(), static_cast<double>(build.tables().bytes()) / (1 << 20));
  if (count) text += counts_text(json["counts"]);
  return print(common, json, text);
}

int TablebaseCommand::run(const CommonOptions& common) const {
  const rules::RuleSet rules = common.rule_set();
  if (rules.entry == rules::Entry::kCard || rules.game != 0) {
    throw base::InputError("tablebase: --rules " + rules.title() +
                           ": expected a set without cards that comes along");
  }
  if (!fen.empty()) return ask(common, rules);
  if (!men) throw base::InputError("tablebase: expected --men N, or --fen FEN");
  return solve(common, rules);
}

}  // namespace

std::unique_ptr<Command> tablebase_command() { return std::make_unique<TablebaseCommand>(); }

}  // namespace app
