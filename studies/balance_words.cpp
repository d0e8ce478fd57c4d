#include <fmt/format.h>

#include "studies/balance.h"
#include "studies/words.h"

namespace studies {
namespace {

using nlohmann::ordered_json;

ordered_json row_json(const BalanceFigures& row) {
  return {{"rules", row.rules.name()},
          {"player", row.player},
          {"simulations", row.simulations ? ordered_json(*row.simulations) : ordered_json()},
          {"games", row.games},
          {"opening_plies", row.opening_plies},
          {"seed", row.seed},
          {"table", row.table.to_changes(row.rules.table())},
          {"forfeits", row.forfeits},
          {"points_white", json_of(row.points_white)},
          {"outcomes", json_of(row.outcomes)},
          {"pair_correlation", json_of(row.pair_correlation)}};
}

std::string player_text(const BalanceFigures& row) {
  if (!row.simulations) return row.player;
  return fmt::format("{}, {} simulations", row.player, *row.simulations);
}

}  // namespace

Answer words(const std::vector<BalanceFigures>& rows) {
  constexpr std::array<const char*, rules::kOutcomes> kHeads{
      "Black wins",      "White stalemated", "impasse, B more", "impasse, equal",
      "impasse, W more", "Black stalemated", "White wins"};
  std::string points = fmt::format("{:<30}{:>6}  {:<21}  {:<21}  {}\n", "rule set", "games",
                                   "White's points of ten", "correlation in pairs", "player");
  std::string shares = fmt::format("\n{:<30}", "outcomes, %");
  for (const char* head : kHeads) shares += fmt::format("{:<19}", head);
  for (const BalanceFigures& row : rows) {
    points +=
        fmt::format("{:<30}{:>6}  {:<21}  {:<21}  {}\n", row.rules.name(), row.games,
                    text_of(row.points_white), text_of(row.pair_correlation), player_text(row));
    shares += fmt::format("\n{:<30}", row.rules.name());
    for (const Estimate& share : row.outcomes) shares += fmt::format("{:<19}", percent_of(share));
  }
  return {{{"sets", list_of(rows, row_json)}}, points + shares + '\n'};
}

}  // namespace studies
