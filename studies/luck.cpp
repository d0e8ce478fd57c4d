#include "studies/luck.h"

#include <fmt/format.h>

#include "base/errors.h"
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
  return mean_by_pairs(match.kept, [&](const MatchGame& game) {
    return holds(share_of_a(game, match.table)) ? 1.0 : 0.0;
  });
}

ordered_json encounter_json(const LuckFigures& row) {
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
    text += fmt::format("{:<20}{:<16}{:<16}{:>6}  {:<24}{:<24}{}\n", row.rules.title(),
                        row.stronger, row.weaker, row.games, text_of(row.elo, 0),
                        percent_of(row.weaker_wins), percent_of(row.half_each));
  }
  return {{{"encounters", list_of(rows, encounter_json)}}, text};
}

LuckStudy::LuckStudy()
    : PlayersStudy("luck",
                   "how often the weaker of two players wins, under each of --rules A,B,...",
                   "--rules: default raindrop,chess_sharp,chess. The weaker is who scored less. "
                   "Where there are\ncards both games of a pair have them in the same order.") {}

std::vector<base::CommandOption> LuckStudy::options() {
  return {{"--player", "P",
           "as `match` takes it; repeated, from weak to strong: each plays the next", &players},
          {"--games", "N", "of each encounter, in pairs", &games},
          {"--sims", "N", "a network's simulations a move", &simulations}};
}

Answer LuckStudy::run(Matches& matches) const {
  struct Encounter {
    arena::MatchConfig match;
    arena::PlayerFactory a, b;
    std::string name;
  };
  if (players.size() < 2) throw base::InputError("luck: expected at least two --player");
  require_pairs("luck", games);
  // A player that does not play a rule set is refused before anything is played.
  std::vector<Encounter> encounters;
  for (const rules::RuleSet& set : matches.rule_sets("raindrop,chess_sharp,chess")) {
    arena::MatchConfig match = matches.config(set);
    match.games = games;
    for (std::size_t i = 0; i + 1 < players.size(); ++i) {
      encounters.push_back(
          {match, matches.player(players[i], simulations, set),
           matches.player(players[i + 1], simulations, set),
           fmt::format("{}, {} against {}", set.name(), players[i], players[i + 1])});
    }
  }
  std::vector<LuckFigures> rows;
  for (const auto& [match, a, b, name_shown] : encounters) {
    rows.push_back(luck_figures(matches.play(match, a, b, name_shown)));
  }
  return words(rows);
}

}  // namespace studies
