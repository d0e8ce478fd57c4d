#include <iostream>
#include <string>

#include "app/commands.h"
#include "app/inspection.h"
#include "app/program.h"
#include "base/errors.h"
#include "base/text_lines.h"

namespace app {

int run_inspect(const Options& options) {
  std::ios::sync_with_stdio(false);
  const auto rule_set = options.common.rule_set();
  int code = kDone;
  std::string line;
  for (long number = 1; base::read_line(std::cin, line); ++number) {
    const Inspection answer = inspect_line(line, number, rule_set);
    if (!answer.ok) code = kBadInput;
    std::cout << answer.json << '\n';
    // Whoever waits for the answer before writing the next line gets it now.
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
  if (std::cin.bad()) throw base::EnvironmentError("cannot read standard input");
  return code;
}

}  // namespace app
