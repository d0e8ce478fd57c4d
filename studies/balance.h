#pragma once
// How evenly the two sides start: games of players against themselves under several rule sets.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/match.h"
#include "studies/estimates.h"
#include "studies/study.h"

namespace studies {

// White's points and how often each outcome came under one rule set.
struct BalanceFigures {
  std::string player;
  std::optional<int> simulations;  // a move; empty where the player has none
  int opening_plies = 0;           // random ones before the player's
  std::uint64_t seed = 1;
  rules::RuleSet rules;
  rules::ScoringTable table;
  std::size_t games = 0;
  int forfeits = 0;
  Estimate points_white;                            // of ten
  std::array<Estimate, rules::kOutcomes> outcomes;  // shares
  // Between White's points in the two games of an opening, which have the same cards: the share of
  // their scatter that openings and cards decide, not play. Empty where all games pay the same.
  std::optional<Estimate> pair_correlation;
};
// The two games of an opening are one draw. REQUIRES: a match of the player against itself that
// kept its games, not none.
BalanceFigures balance_figures(const arena::MatchConfig& config, const arena::MatchResult& match,
                               const std::string& player, std::optional<int> simulations);
// A row for each rule set and player.
Answer words(const std::vector<BalanceFigures>& rows);

struct AdvantageStudy;

// `advantage` of several rule sets, or of any players.
struct BalanceStudy final : PlayersStudy {
  // `advantage` holds the options. REQUIRES: it outlives this.
  explicit BalanceStudy(const AdvantageStudy& advantage)
      : PlayersStudy("balance", ""), asked(advantage) {}
  std::vector<base::CommandOption> options() override { return {}; }
  Answer run(Matches& matches) const override;

  const AdvantageStudy& asked;
};

}  // namespace studies
