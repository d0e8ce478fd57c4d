#pragma once
// How often the weaker player wins: what chance, or the rules, leave to it.

#include <string>
#include <vector>

#include "arena/match.h"
#include "studies/estimates.h"
#include "studies/study.h"

namespace studies {

// Two players under one rule set. The stronger is who scored more.
struct LuckFigures {
  rules::RuleSet rules;
  std::string stronger, weaker;
  std::size_t games = 0;
  Estimate elo;          // of the stronger over the weaker
  Estimate weaker_wins;  // fraction of the games in which it got more than half of the points
  Estimate half_each;    // in which neither did
};
// The two games of a pair are one draw. REQUIRES: a match that kept its games, not none.
LuckFigures luck_figures(const arena::MatchResult& match);
Answer words(const std::vector<LuckFigures>& rows);

struct LuckStudy final : PlayersStudy {
  LuckStudy();
  std::vector<base::CommandOption> options() override;
  Answer run(Matches& matches) const override;

  std::vector<std::string> players{"random", "greedy", "alphabeta:1", "alphabeta:2"};
  int games = 200;
  int simulations = 32;
};

}  // namespace studies
