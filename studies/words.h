#pragma once
// What the answers of the studies have in common: figures as JSON and as text.

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/outcome.h"
#include "studies/estimates.h"
#include "studies/game_facts.h"
#include "studies/self_games.h"
#include "studies/study.h"

namespace studies {

// {mean, low, high}; null where there is none.
nlohmann::ordered_json json_of(const std::optional<Estimate>& estimate);
// [{outcome, share}].
nlohmann::ordered_json json_of(const std::array<Estimate, rules::kOutcomes>& shares);
// What tells one set of games from another: network (its name), generation, simulations, table,
// rules, start_fen (null: the rule set's), opening_plies, temperature, seed, seeds, precision,
// search (its version in hexadecimal).
nlohmann::ordered_json json_of(const SelfGamesConfig& config);
// The array of what `one` makes of each item.
template <class Items, class One>
nlohmann::ordered_json list_of(const Items& items, One one) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& item : items) list.push_back(one(item));
  return list;
}

// "5.12 [4.90, 5.33]", each times `factor`, "?" for an end that is not finite; "-" of none.
std::string text_of(const std::optional<Estimate>& estimate, int digits = 2, double factor = 1);
std::string percent_of(const std::optional<Estimate>& share);  // "12.0 [9.1, 15.5]"

// Says where the games are far less varied than their number, by how they vary after the last of
// kDepths; else nothing.
std::string few_lines_warning(const Variety& variety, const SelfGamesConfig& config);
// The question that it answers.
inline constexpr const char* kFewLinesQuestion = "Do these games stand for the game?";

// Ends the answer with some of the inventor's questions, each with what is answered to it in words:
// `answers` in the JSON, and lines of the text.
using InWords = std::pair<std::string, std::string>;
void add_words(const std::vector<InWords>& words, Answer& answer);

}  // namespace studies
