#include "app/commands/parts/inspection.h"

#include <fmt/format.h>

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

namespace {

ordered_json verdict_json(const tablebase::Verdict& verdict, const rules::ScoringTable& table) {
  return {{"outcome", rules::name(verdict.outcome)},
          {"points_white", table.white_points(verdict.outcome)},
          {"plies", verdict.plies}};
}

std::string verdict_text(const ordered_json& verdict) {
  return fmt::format("{} in {} plies, {:.2f} points for White",
                     verdict["outcome"].get<std::string>(), verdict["plies"].get<int>(),
                     verdict["points_white"].get<double>());
}

}  // namespace

ordered_json known_of(const rules::Position& position, const tablebase::Tables& tables) {
  const auto verdict = tables.probe(position);
  if (!verdict || position.outcome(tables.table())) return nullptr;
  ordered_json known = verdict_json(*verdict, tables.table());
  known["moves"] = ordered_json::array();
  for (const auto& [move, behind] : tables.moves(position)) {
    ordered_json one{{"move", rules::to_uci(move)}, {"san", rules::to_san(position, move)}};
    one.update(verdict_json(behind, tables.table()));
    known["moves"].push_back(one);
  }
  return known;
}

std::string known_text(const ordered_json& known) {
  std::string text = "exact: " + verdict_text(known) + "\n";
  for (const ordered_json& move : known["moves"])
    text += fmt::format("  {:<6} {}\n", move["san"].get<std::string>(), verdict_text(move));
  return text;
}

Inspection inspect_line(std::string_view line, long line_number, rules::RuleSet rules,
                        const tablebase::Tables* tables) {
  try {
    const rules::Line read = rules::parse_line(line, rules);
    ordered_json json = described(read, rules.table());
    if (tables != nullptr) json["tablebase"] = known_of(read.position, *tables);
    return {json.dump(), true};
  } catch (const rules::RulesError& error) {
    return {ordered_json{{"error", error.what()}, {"line", line_number}}.dump(), false};
  }
}

}  // namespace app
