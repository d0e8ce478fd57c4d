#pragma once
// What a line of `analyse` asks for.

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rules/notation.h"
#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "tactics/search_limits.h"

namespace app {

// A request that is refused, in one line that names the field.
struct AnalysisRefusal : std::runtime_error {
  AnalysisRefusal(const std::string& at, const std::string& message)
      : std::runtime_error(message), field(at) {}

  std::string field;              // empty: the line itself
  std::optional<std::string> id;  // of the request; empty: not known
};

// What holds where a request says nothing else.
struct AnalysisDefaults {
  rules::RuleSet rules;
  rules::ScoringTable table;     // of these rules; others have their own
  tactics::SearchLimits limits;  // nodes, depth, move_time_ms and multi_pv
};

// A position of a game, by how many moves lead to it, and the moves to search; empty: all.
struct AskedPosition {
  std::size_t ply = 0;
  std::vector<rules::Move> moves{};
};

struct AnalysisRequest {
  std::string id;
  rules::RuleSet rules;
  rules::ScoringTable table;
  rules::Line game{rules::Position()};
  std::vector<AskedPosition> positions;  // in the order in which they are searched
  tactics::SearchLimits limits;          // of each; without moves
  std::optional<double> report_every;    // seconds; empty: no partial reports
  int priority = 0;                      // the greatest first
};

struct AnalysisAction {
  enum class Kind { kTerminate, kClear, kVersion };
  std::string id;
  Kind kind = Kind::kVersion;
  std::optional<std::string> of{};  // request to terminate; empty: all
};

// Reads a line of JSON. Throws AnalysisRefusal.
std::variant<AnalysisRequest, AnalysisAction> read_analysis(std::string_view line,
                                                            const AnalysisDefaults& defaults);

}  // namespace app
