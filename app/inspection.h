#pragma once
// A line of text in, one line of JSON out: what a script asks about a position.

#include <string>
#include <string_view>

#include "rules/rule_set.h"

namespace app {

struct Inspection {
  std::string json;  // one object, no newline
  bool ok = true;    // false: the line was refused, and json is {"error": "...", "line": N}
};

// `line` is a FEN, optionally followed by " moves " and UCI moves; a carriage return at its end is
// read over. The object's keys: fen (after the moves), outcome ("ongoing" or its name),
// points_white (under the set's own table; null while ongoing), moves (UCI, sorted; empty when
// over), san (same order). A move after the game's end is refused.
Inspection inspect_line(std::string_view line, long line_number, rules::RuleSet rules);

}  // namespace app
