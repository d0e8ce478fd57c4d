#pragma once
// A line of text in, one line of JSON out: what a script asks about a position.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rules/notation.h"
#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "tablebase/tables.h"

namespace app {

struct Inspection {
  std::string json;  // one object, no newline
  bool ok = true;    // false: the line was refused, and json is {"error": "...", "line": N}
};

// The end of a line as JSON: fen (after the moves), outcome ("ongoing" or its name), points_white
// (under the table; null while ongoing), moves (UCI, sorted; empty when over), san (same order).
nlohmann::ordered_json described(const rules::Line& line, const rules::ScoringTable& table);
// The same of a game with this outcome there; empty: it goes on.
nlohmann::ordered_json described(const rules::Line& line, const rules::ScoringTable& table,
                                 std::optional<rules::Outcome> outcome);

// What a tablebase knows of a position that is not over: outcome, points_white, plies (as
// tablebase::Verdict) and moves, which are such objects with move (UCI) and san, the best first;
// null where nothing. REQUIRES: a position of its rules.
nlohmann::ordered_json known_of(const rules::Position& position, const tablebase::Tables& tables);
// The same for a terminal, a line for the position and one for each move. REQUIRES: not null.
std::string known_text(const nlohmann::ordered_json& known);

// `line` is as rules::parse_line() reads it. The object is described()'s, under the set's own
// table, and with `tables` has known_of() as "tablebase".
Inspection inspect_line(std::string_view line, long line_number, rules::RuleSet rules,
                        const tablebase::Tables* tables = nullptr);

}  // namespace app
