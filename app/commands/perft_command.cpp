#include <iostream>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/program.h"
#include "rules/notation.h"
#include "rules/perft.h"
#include "rules/position.h"

namespace app {

int run_perft(const Options& options) {
  const PerftOptions& asked = options.perft;
  const auto rule_set = options.common.rule_set();
  const rules::Position position = asked.fen.empty()
                                       ? rules::Position::start(rule_set)
                                       : rules::Position::from_fen(asked.fen, rule_set);
  const rules::PerftOptions how{.ends = asked.ends};
  std::uint64_t leaves = 0;
  nlohmann::ordered_json by_move = nlohmann::ordered_json::object();
  if (asked.divide && asked.depth > 0) {
    for (const auto& [move, below] : rules::perft_divide(position, asked.depth, how)) {
      leaves += below;
      by_move[rules::to_uci(move)] = below;
      if (!options.common.json) std::cout << rules::to_uci(move) << ": " << below << "\n";
    }
  } else {
    leaves = rules::perft(position, asked.depth, how);
  }
  nlohmann::ordered_json answer{
      {"fen", position.to_fen()}, {"depth", asked.depth}, {"ends", asked.ends}, {"leaves", leaves}};
  if (asked.divide) answer["divide"] = by_move;
  return print(options.common, answer, std::to_string(leaves) + "\n");
}

}  // namespace app
