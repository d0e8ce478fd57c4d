#include "rules/inspect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "rules/notation.h"

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

std::string json_number(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

// Where a line leads, and how the game stands there.
struct Reached {
  Position position;
  std::optional<Outcome> outcome;
};

Reached read(std::string_view line, RuleSet rules, const ScoringTable& table) {
  constexpr std::string_view kMoves = " moves";
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t at = std::min(line.find(kMoves), line.size());
  std::string_view moves = line.substr(std::min(at + kMoves.size(), line.size()));
  const bool word_ends = moves.empty() || moves.front() == ' ';
  Position position = Position::from_fen(word_ends ? line.substr(0, at) : line, rules);
  History history;
  while (true) {
    moves.remove_prefix(std::min(moves.find_first_not_of(' '), moves.size()));
    const auto outcome = position.outcome(table, history.occurrences(position));
    if (moves.empty()) return {position, outcome};
    const std::string_view move = moves.substr(0, moves.find(' '));
    if (outcome) refuse("move", move, "no move, for the game is over");
    history.add(position);
    position.play(parse_uci(position, move));
    moves.remove_prefix(move.size());
  }
}

std::string described(const Reached& reached, const ScoringTable& table) {
  const auto& [position, outcome] = reached;
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
  json += ", \"points_white\": " + (outcome ? json_number(table.white_points(*outcome)) : "null");
  return json + ", \"moves\": [" + uci + "], \"san\": [" + san + "]}";
}

}  // namespace

Inspection inspect_line(std::string_view line, long line_number, RuleSet rules) {
  const ScoringTable table = rules.table();
  try {
    return {described(read(line, rules, table), table), true};
  } catch (const RulesError& error) {
    return {"{\"error\": " + json_string(error.what()) +
                ", \"line\": " + std::to_string(line_number) + "}",
            false};
  }
}

}  // namespace rules
