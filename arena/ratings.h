#pragma once
// One scale for many players from their paired matches.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/statistics.h"

namespace arena {

// Paired games between two players.
struct Encounter {
  std::string a, b;
  PairStatistics pairs;  // a's shares
};

struct Rating {
  std::string player;
  Estimate elo;  // with its 95 % interval, relative to the anchor
  int games = 0;
  // With every player's Elo, its own among them, in Elo squared: what is common to two players'
  // errors, most of all the anchor's distance, leaves their difference. The variance of a - b is
  // cov(a, a) + cov(b, b) - 2 cov(a, b).
  std::map<std::string, double> covariance;
  // What the player was given for a move; neither where that is not known.
  std::optional<int> simulations{};
  std::optional<int> time_ms{};
};

// Maximum-likelihood ratings, the highest first, on the scale of the anchor's 0: Bradley and
// Terry's model (1952) with the share of the points as the share of games won, fitted by Newton's
// method. So that a player who won or lost everything has a finite rating, each two players that
// met are given one drawn game more. The errors are those of the fit's sandwich covariance H^-1 J
// H^-1 (Huber 1967): the likelihood's curvature H, corrected by the scatter J of the pair scores,
// which is not that of single won-or-lost games. Throws InputError where a player is not connected
// to the anchor by encounters.
std::vector<Rating> fit_ratings(const std::vector<Encounter>& encounters,
                                const std::string& anchor = "random");

// An array of {player, elo: {mean, low, high}, games, covariance: {player: Elo squared}} and, where
// they are known, simulations and movetime_ms.
nlohmann::json to_json(const std::vector<Rating>& ratings);

}  // namespace arena
