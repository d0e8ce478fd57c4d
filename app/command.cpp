#include "app/command.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "studies/study.h"

namespace app {
int print(const CommonOptions& common, const nlohmann::ordered_json& json, const std::string& text,
          int indent) {
  std::cout << (common.json ? json.dump(indent) + "\n" : text);
  return kDone;
}

CommandOption net_option() {
  return {"--net", "NET",
          "network: a checkpoint, a run or a file (default: the one that comes with the program)"};
}

CommandOption opponent_option() {
  return {
      "--net", "NET",
      "network or NNUE (default: the first that plays the rule set of: the NNUE that comes with "
      "the program, the runs in runs/, the one started last first; else search alone)"};
}

CommandOption table_option() { return {"--table", "T", studies::kTableHelp}; }

CommandOption tablebase_option() {
  return {"--tablebase", "DIR",
          "folder that `tablebase` has filled: endings in it are known exactly"};
}

CommandOption set_option() { return {"--set", "SECTION.KEY=VALUE", "change a key of the config"}; }

}  // namespace app
