#include "app/command.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/errors.h"
#include "studies/study.h"

namespace app {
namespace {

// "8h", "90m", "30s" or "1h30m" in seconds. Throws base::InputError.
double seconds_of(const std::string& text) {
  constexpr double kYear = 366 * 24 * 3600;
  double seconds = 0;
  std::istringstream in(text);
  for (double number = 0; in >> number;) {
    char unit = 0;
    in >> unit;
    const std::size_t at = std::string("smh").find(unit);
    if (!in || at == std::string::npos || number < 0) break;
    seconds += number * (at == 0 ? 1 : at == 1 ? 60 : 3600);
    const bool whole = in.peek() == std::istringstream::traits_type::eof();
    if (whole && seconds > 0 && seconds <= kYear) return seconds;
  }
  throw base::InputError("--max-time " + text +
                         ": expected a time above zero, at most a year, such as 8h or 1h30m");
}

}  // namespace

int print(const CommonOptions& common, const nlohmann::ordered_json& json, const std::string& text,
          int indent) {
  std::cout << (common.json ? json.dump(indent) + "\n" : text);
  return kDone;
}

CommandOption net_option(std::string& net) {
  return {"--net", "NET",
          "network: a checkpoint, a run or a file (default: the one that comes with the program)",
          &net};
}

CommandOption opponent_option(std::string& net) {
  return {
      "--net", "NET",
      "network or NNUE (default: the first that plays the rule set of: the NNUE that comes with "
      "the program, the runs in runs/, the one started last first; else search alone)",
      &net};
}

CommandOption table_option(std::string& table) {
  return {"--table", "T", studies::kTableHelp, &table};
}

CommandOption set_option(std::vector<std::string>& changes) {
  return {"--set", "SECTION.KEY=VALUE", "change a key of the config", &changes};
}

CommandOption max_time_option(std::optional<double>& seconds, const std::string& help) {
  return {"--max-time", "TIME", help,
          [&seconds](const std::string& text) { seconds = seconds_of(text); }};
}

}  // namespace app
