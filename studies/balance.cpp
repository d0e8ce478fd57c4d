#include "studies/balance.h"

#include <fmt/format.h>

#include <array>

#include "studies/answers.h"

namespace studies {
namespace {

using arena::Estimate;
using arena::MatchGame;
using nlohmann::ordered_json;
using rules::Outcome;

// The mean of `value` (in [0, 1]) over the games, whose pairs are independent.
template <class Value>
arena::Estimate mean_by_pairs(const std::vector<MatchGame>& games, Value value) {
  arena::PairStatistics pairs;
  for (std::size_t i = 0; i + 1 < games.size(); i += 2) {
    pairs.add((value(games[i]) + value(games[i + 1])) / 2);
  }
  return pairs.score();
}

std::string player_text(const ordered_json& row) {
  const std::string player = row["player"].get<std::string>();
  return row["simulations"].is_null() ? player
                                      : player + ", " + row["simulations"].dump() + " simulations";
}

}  // namespace

ordered_json balance_figures(const arena::MatchResult& match, const BalanceSettings& settings) {
  const arena::Estimate share = mean_by_pairs(
      match.kept, [&](const MatchGame& g) { return match.table.white_points(g.outcome) / 10; });
  ordered_json outcomes = ordered_json::array();
  for (int i = 0; i < rules::kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const auto is = [&](const MatchGame& g) { return g.outcome == outcome ? 1.0 : 0.0; };
    outcomes.push_back(
        {{"outcome", rules::name(outcome)}, {"share", to_json(mean_by_pairs(match.kept, is))}});
  }
  return {
      {"rules", match.rules.name()},
      {"player", settings.player},
      {"simulations", settings.simulations ? ordered_json(*settings.simulations) : ordered_json()},
      {"games", match.kept.size()},
      {"opening_plies", settings.opening_plies},
      {"seed", settings.seed},
      {"table", match.table.to_changes(match.rules.table())},
      {"forfeits", match.forfeits_a + match.forfeits_b},
      {"points_white", to_json(10 * share)},
      {"outcomes", std::move(outcomes)}};
}

std::string balance_text(const ordered_json& balance) {
  constexpr std::array<const char*, rules::kOutcomes> kHeads{
      "Black wins",      "White stalemated", "impasse, B more", "impasse, equal",
      "impasse, W more", "Black stalemated", "White wins"};
  std::string points = fmt::format("{:<30}{:>6}  {:<20}  {}\n", "rule set", "games",
                                   "White's points of ten", "player");
  std::string shares = fmt::format("\n{:<30}", "outcomes, %");
  for (const char* head : kHeads) shares += fmt::format("{:<19}", head);
  shares += '\n';
  for (const auto& row : balance["sets"]) {
    const std::string set = row["rules"].get<std::string>();
    points += fmt::format("{:<30}{:>6}  {:<21}  {}\n", set, row["games"].dump(),
                          estimate_text(row["points_white"]), player_text(row));
    shares += fmt::format("{:<30}", set);
    for (const auto& outcome : row["outcomes"]) {
      shares += fmt::format("{:<19}", estimate_text(outcome["share"], 1, 100));
    }
    shares += '\n';
  }
  return points + shares;
}

}  // namespace studies
