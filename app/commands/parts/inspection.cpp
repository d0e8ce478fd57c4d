#include "app/commands/parts/inspection.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "rules/error.h"
#include "rules/notation.h"

namespace app {

using nlohmann::ordered_json;

ordered_json described(const rules::Line& line, const rules::ScoringTable& table) {
  return described(line, table, line.outcome(table));
}

ordered_json described(const rules::Line& line, const rules::ScoringTable& table,
                       std::optional<rules::Outcome> outcome) {
  const rules::Position& position = line.position;
  std::vector<std::pair<std::string, std::string>> moves;  // UCI, SAN
  if (!outcome) {
    for (const rules::Move move : position.legal_moves()) {
      moves.emplace_back(rules::to_uci(move), rules::to_san(position, move));
    }
    std::ranges::sort(moves);
  }
  ordered_json json{{"fen", position.to_fen()},
                    {"outcome", outcome ? rules::name(*outcome) : "ongoing"},
                    {"points_white", nullptr},
                    {"moves", ordered_json::array()},
                    {"san", ordered_json::array()}};
  if (outcome) json["points_white"] = table.white_points(*outcome);
  for (const auto& [uci, san] : moves) {
    json["moves"].push_back(uci);
    json["san"].push_back(san);
  }
  return json;
}

Inspection inspect_line(std::string_view line, long line_number, rules::RuleSet rules) {
  try {
    return {described(rules::parse_line(line, rules), rules.table()).dump(), true};
  } catch (const rules::RulesError& error) {
    return {ordered_json{{"error", error.what()}, {"line", line_number}}.dump(), false};
  }
}

}  // namespace app
