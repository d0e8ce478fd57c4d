#pragma once
// What can be said of a game once its rules are known: for `rules check` and for the page's editor.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rules/rule_report.h"
#include "rules/rule_set.h"

namespace app {

struct GameReport {
  std::string title, name;             // as RuleSet has them
  std::vector<std::string> sentences;  // rules::sentences()
  std::vector<std::string> starts;     // FENs of first positions, the first and others evenly apart
  int all_starts = 1;                  // how many there are
  std::vector<std::uint64_t> perft;    // of the first, from depth 1 on
  rules::GameTrial trial;
  std::vector<std::string> suspicious;  // rules::suspicions()
};

// With at most so many starts, perft to that depth and random games drawn by the seed.
GameReport report_on(rules::RuleSet rules, int starts, int depth, std::uint64_t seed);

// title, name, sentences, start and starts (a count), perft, random_game, plies and outcomes of the
// random games, suspicious.
nlohmann::ordered_json game_report_json(const GameReport& report);

}  // namespace app
