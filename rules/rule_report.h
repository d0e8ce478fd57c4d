#pragma once
// A game told in words, for whoever has just written it down (rules/rule_file.h).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/outcome.h"
#include "rules/rule_set.h"

namespace rules {

// The game in plain sentences, for any set.
std::vector<std::string> sentences(RuleSet rules);

// What random games, drawn by the seed, say of it.
struct GameTrial {
  static constexpr int kGames = 100, kMostPlies = 1000;
  int unfinished = 0;                 // games that had not ended after kMostPlies
  double plies = 0;                   // a finished game's, mean
  std::array<int, kOutcomes> ends{};  // by Outcome
  std::vector<std::string> first;     // the first game's moves, as SAN
  std::optional<Outcome> first_end;   // and how it ended
};
GameTrial try_out(RuleSet rules, std::uint64_t seed);

// What is likely a mistake: no way to win, a side without a move, pawns that become nothing, games
// that do not end. A sentence each; none where all is well.
std::vector<std::string> suspicions(RuleSet rules, const GameTrial& trial);

}  // namespace rules
