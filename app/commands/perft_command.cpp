#include <iostream>
#include <nlohmann/json.hpp>

#include "app/command.h"
#include "rules/notation.h"
#include "rules/perft.h"
#include "rules/position.h"

namespace app {
namespace {

struct Perft final : Command {
  int depth = option(depth, CommandOption("--depth", "N", "plies").range(0, 100).mandatory());
  std::string fen = option(fen, {"--fen", "FEN", "position (default: the start)"});
  bool divide = option(divide, {"--divide", "", "also the count below each move"});
  bool ends = option(ends, {"--ends", "", "games end at impasse and stalemate too"});

  Perft() : Command("perft", "count the leaves of the move tree") {}
  int run(const CommonOptions& common) const override;
};

int Perft::run(const CommonOptions& common) const {
  const auto rule_set = common.rule_set();
  const rules::Position position =
      fen.empty() ? rules::Position::start(rule_set) : rules::Position::from_fen(fen, rule_set);
  const rules::PerftOptions how{.ends = ends};
  std::uint64_t leaves = 0;
  nlohmann::ordered_json by_move = nlohmann::ordered_json::object();
  if (divide && depth > 0) {
    for (const auto& [move, below] : rules::perft_divide(position, depth, how)) {
      leaves += below;
      by_move[rules::to_uci(move)] = below;
      if (!common.json) std::cout << rules::to_uci(move) << ": " << below << "\n";
    }
  } else {
    leaves = rules::perft(position, depth, how);
  }
  nlohmann::ordered_json answer{
      {"fen", position.to_fen()}, {"depth", depth}, {"ends", ends}, {"leaves", leaves}};
  if (divide) answer["divide"] = by_move;
  return print(common, answer, std::to_string(leaves) + "\n");
}

}  // namespace

std::unique_ptr<Command> perft_command() { return std::make_unique<Perft>(); }

}  // namespace app
