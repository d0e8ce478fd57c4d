#include "studies/luck.h"

#include <fmt/format.h>

#include "studies/words.h"

namespace studies {
namespace {

using arena::MatchGame;
using nlohmann::ordered_json;

// A's fraction of the game's points.
double share_of_a(const MatchGame& game, const rules::ScoringTable& table) {
  const double white = table.white_points(game.outcome) / 10;
  return game.a_is_white ? white : 1 - white;
}

// The fraction of games of which `holds(A's fraction of the points)` is true.
template <class Holds>
Estimate fraction(const arena::MatchResult& match, Holds holds) {
  arena::PairStatistics pairs;
  for (std::size_t i = 0; i + 1 < match.kept.size(); i += 2) {
    double held = 0;
    for (const std::size_t game : {i, i + 1}) {
      held += holds(share_of_a(match.kept[game], match.table)) ? 0.5 : 0.0;
    }
    pairs.add(held);
  }
  return pairs.score();
}

ordered_json row_json(const LuckFigures& row) {
  return {{"rules", row.rules.name()},
          {"stronger", row.stronger},
          {"weaker", row.weaker},
          {"games", row.games},
          {"elo", json_of(row.elo)},
          {"weaker_wins", json_of(row.weaker_wins)},
          {"half_each", json_of(row.half_each)}};
}

}  // namespace

LuckFigures luck_figures(const arena::MatchResult& match) {
  const bool a_stronger = match.points().mean >= 5;
  LuckFigures figures;
  figures.rules = match.rules;
  figures.stronger = a_stronger ? match.a : match.b;
  figures.weaker = a_stronger ? match.b : match.a;
  figures.games = match.kept.size();
  figures.elo = match.elo();
  if (!a_stronger) figures.elo = {-figures.elo.mean, -figures.elo.high, -figures.elo.low};
  figures.weaker_wins = fraction(match, [&](double a) { return a_stronger ? a < 0.5 : a > 0.5; });
  figures.half_each = fraction(match, [](double a) { return a == 0.5; });
  return figures;
}

Answer words(const std::vector<LuckFigures>& rows) {
  std::string text =
      fmt::format("{:<20}{:<16}{:<16}{:>6}  {:<24}{:<24}{}\n", "rule set", "stronger", "weaker",
                  "games", "Elo between them", "weaker wins, %", "half each, %");
  for (const LuckFigures& row : rows) {
    text += fmt::format("{:<20}{:<16}{:<16}{:>6}  {:<24}{:<24}{}\n", row.rules.name(), row.stronger,
                        row.weaker, row.games, text_of(row.elo, 0), percent_of(row.weaker_wins),
                        percent_of(row.half_each));
  }
  return {{{"encounters", list_of(rows, row_json)}}, text};
}

}  // namespace studies
