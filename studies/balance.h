#pragma once
// How evenly the two sides start: games of players against themselves under several rule sets.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arena/match.h"

namespace studies {

// What the balance of one rule set was measured with, beside what the match says of itself.
struct BalanceSettings {
  std::string player;
  std::optional<int> simulations;  // a move; empty where the player has none
  int opening_plies = 0;           // random ones before the player's
  std::uint64_t seed = 1;
};

// White's points and how often each outcome came, as {mean, low, high}: rules, player, simulations,
// games, opening_plies, seed, table, forfeits, points_white (of ten), outcomes ([{outcome,
// share}]). 95 % intervals; the two games of an opening are one draw. REQUIRES: a match of the
// player against itself that kept its games, not none.
nlohmann::ordered_json balance_figures(const arena::MatchResult& match,
                                       const BalanceSettings& settings);

// What `advantage` wrote of several rule sets, as a table for a terminal.
std::string balance_text(const nlohmann::ordered_json& balance);

}  // namespace studies
