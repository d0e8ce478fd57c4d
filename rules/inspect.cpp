#include "rules/inspect.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "rules/notation.h"
#include "rules/numbers.h"

namespace rules {
namespace {

// Refusals are printable ASCII.
std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string described(const Line& line, const ScoringTable& table) {
  const Position& position = line.position;
  const std::optional<Outcome> outcome = line.outcome(table);
  std::vector<std::pair<std::string, std::string>> moves;  // UCI, SAN
  if (!outcome) {
    const MoveList legal = position.legal_moves();
    moves.reserve(legal.size());
    for (const Move move : legal) moves.emplace_back(to_uci(move), to_san(position, move));
    std::sort(moves.begin(), moves.end());
  }
  std::string uci, san;
  for (const auto& [u, s] : moves) {
    const char* const separator = uci.empty() ? "\"" : ", \"";
    uci.append(separator).append(u).append("\"");
    san.append(separator).append(s).append("\"");
  }
  std::string json = "{\"fen\": " + json_string(position.to_fen());
  json += ", \"outcome\": " + json_string(outcome ? name(*outcome) : "ongoing");
  json += ", \"points_white\": " + (outcome ? shortest_text(table.white_points(*outcome)) : "null");
  return json + ", \"moves\": [" + uci + "], \"san\": [" + san + "]}";
}

}  // namespace

Inspection inspect_line(std::string_view line, long line_number, RuleSet rules) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  try {
    return {described(parse_line(line, rules), rules.table()), true};
  } catch (const RulesError& error) {
    return {"{\"error\": " + json_string(error.what()) +
                ", \"line\": " + std::to_string(line_number) + "}",
            false};
  }
}

}  // namespace rules
