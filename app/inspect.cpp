#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/program.h"
#include "rules/notation.h"
#include "rules/position.h"

namespace app {
namespace {

using nlohmann::ordered_json;

// "FEN" or "FEN moves UCI...". Throws RulesError.
rules::Position read_line(const std::string& line, rules::RuleSet rule_set,
                          const rules::ScoringTable& table) {
  constexpr std::string_view kMoves = " moves";
  const std::size_t at = line.find(kMoves);
  rules::Position position = rules::Position::from_fen(line.substr(0, at), rule_set);
  if (at == std::string::npos) return position;
  std::istringstream moves(line.substr(at + kMoves.size()));
  for (std::string move; moves >> move;) {
    if (position.outcome(table)) rules::refuse("move", move, "none, for the game is over");
    position.play(rules::parse_uci(position, move));
  }
  return position;
}

ordered_json describe(const rules::Position& position, const rules::ScoringTable& table) {
  const auto outcome = position.outcome(table);
  std::vector<std::pair<std::string, std::string>> moves;  // UCI, SAN
  if (!outcome) {
    for (const rules::Move move : position.legal_moves()) {
      moves.emplace_back(rules::to_uci(move), rules::to_san(position, move));
    }
  }
  std::ranges::sort(moves);
  ordered_json uci = ordered_json::array(), san = ordered_json::array();
  for (const auto& [u, s] : moves) {
    uci.push_back(u);
    san.push_back(s);
  }
  return {{"fen", position.to_fen()},
          {"outcome", outcome ? ordered_json(rules::name(*outcome)) : "ongoing"},
          {"points_white", outcome ? ordered_json(table.white_points(*outcome)) : ordered_json()},
          {"moves", std::move(uci)},
          {"san", std::move(san)}};
}

}  // namespace

int run_inspect(const Options& options) {
  std::ios::sync_with_stdio(false);
  const auto rule_set = rules::RuleSet::parse(options.common.rules);
  const rules::ScoringTable table;
  int code = kDone;
  std::string line;
  for (int number = 1; std::getline(std::cin, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    ordered_json answer;
    try {
      answer = describe(read_line(line, rule_set, table), table);
    } catch (const rules::RulesError& error) {
      answer = {{"error", error.what()}, {"line", number}};
      code = kBadInput;
    }
    std::cout << answer.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    // Whoever waits for the answer before writing the next line gets it now.
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
  return code;
}

}  // namespace app
