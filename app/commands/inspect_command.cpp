#include <iostream>
#include <string>

#include "app/command.h"
#include "app/commands/parts/inspection.h"
#include "base/errors.h"
#include "base/text.h"
#include "tablebase/tables.h"

namespace app {
namespace {

struct Inspect final : Command {
  std::string tablebase = option(tablebase, tablebase_option());

  Inspect()
      : Command(
            "inspect", "read one position a line from stdin, print one JSON object a line",
            "A line is a FEN, optionally followed by ' moves ' and UCI moves. Printed: fen, "
            "outcome,\n"
            "points_white, moves (UCI) and san; with --tablebase what it knows. A bad line gives\n"
            "{\"error\", \"line\"}, and exit code 2 at the end.") {}
  int run(const CommonOptions& common) const override;
};

int Inspect::run(const CommonOptions& common) const {
  std::ios::sync_with_stdio(false);
  const auto rule_set = common.rule_set();
  const auto tables = tablebase::load(tablebase, rule_set, rule_set.table());
  int code = kDone;
  std::string line;
  for (long number = 1; base::read_line(std::cin, line); ++number) {
    const Inspection answer = inspect_line(line, number, rule_set, tables.get());
    if (!answer.ok) code = kBadInput;
    std::cout << answer.json << '\n';
    // Whoever waits for the answer before writing the next line gets it now.
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
  if (std::cin.bad()) throw base::EnvironmentError("cannot read standard input");
  return code;
}

}  // namespace

std::unique_ptr<Command> inspect_command() { return std::make_unique<Inspect>(); }

}  // namespace app
