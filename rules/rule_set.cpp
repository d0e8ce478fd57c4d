#include "rules/rule_set.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "rules/outcome.h"
#include "rules/rule_details.h"
#include "rules/rule_file.h"
#include "rules/spelling.h"

namespace rules {
namespace {

constexpr std::string_view kBefore = "before=";

// The options of Chess# that are on or off.
struct Option {
  std::string_view name;
  bool RuleSet::*field;
};
constexpr std::array<Option, 4> kOptions{{{"sprint", &RuleSet::sprint},
                                          {"bishops_opposite", &RuleSet::bishops_opposite},
                                          {"queen_any", &RuleSet::queen_any},
                                          {"underpromotion", &RuleSet::underpromotion}}};

// False where there is no such option, or it is on already.
bool switch_on(RuleSet& rules, const std::string& option) {
  for (const auto& [name, field] : kOptions) {
    if (option == folded_name(name)) return !std::exchange(rules.*field, true);
  }
  const int most = std::min(7, rules.minors_and_rooks() + rules.queens());
  const bool digit = option.size() == kBefore.size() + 1 && option.starts_with(kBefore) &&
                     option.back() >= '1' && option.back() <= '0' + most;
  if (!digit || rules.before != 0) return false;
  rules.before = static_cast<std::uint8_t>(option.back() - '0');
  return true;
}

// As "+sprint+before=3", of a set of the Chess# family.
std::string options_of(RuleSet rules) {
  std::string out;
  for (const auto& [name, field] : kOptions) {
    if (rules.*field) out.append("+").append(name);
  }
  if (rules.before > 0) out += "+before=" + std::to_string(rules.before);
  return out;
}

// One of the set's names, with the options where it is one of the Chess# family or Raindrop; empty
// where it has none of this kind.
std::string named(RuleSet rules, std::string_view NamedRuleSet::*name) {
  std::string options;
  if (rules.in_chess_sharp_family()) {
    options = options_of(rules);
    rules = {.army = rules.army};
  } else if (rules.entry == Entry::kCard && std::exchange(rules.sprint, false)) {
    options = "+sprint";
  }
  const auto set = std::ranges::find(kRuleSets, rules, &NamedRuleSet::rules);
  return set == kRuleSets.end() || ((*set).*name).empty() ? ""
                                                          : std::string((*set).*name) + options;
}

// Takes the option up; false where the set does not have it, or has it on already.
bool take_option(RuleSet& rules, std::string_view text) {
  const std::string option = folded_name(text);
  if (rules.in_chess_sharp_family()) return switch_on(rules, option);
  return rules.entry == Entry::kCard && option == "sprint" && !std::exchange(rules.sprint, true);
}

// Names in use beside those of kRuleSets: as folded_name() has them, and the set's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kOtherNames{{
    {"standard", "chess"},
    {"normal", "chess"},
    {"orthodox", "chess"},
    {"classic", "chess"},
    {"classical", "chess"},
    {"fromposition", "chess"},
    {"fischerandom", "chess960"},
    {"fischerrandom", "chess960"},
    {"freestyle", "chess960"},
    {"frc", "chess960"},
}};

// The set that the name spells without options; a last word "chess" may be too much.
std::optional<RuleSet> plain_set(std::string_view name) {
  constexpr std::string_view kChessWord = "chess";
  std::string text = folded_name(name);
  if (text.ends_with('+')) text.replace(text.size() - 1, 1, "plus");
  if (text.empty()) return std::nullopt;
  const auto other = std::ranges::find(kOtherNames, text, [](auto entry) { return entry.first; });
  if (other != kOtherNames.end()) text = folded_name(other->second);
  for (const NamedRuleSet& set : kRuleSets) {
    for (const auto spelling : {set.name, set.variant, set.uci_variant, set.app_variant}) {
      if (!spelling.empty() && folded_name(spelling) == text) return set.rules;
    }
  }
  if (text.size() == kChessWord.size() || !text.ends_with(kChessWord)) return std::nullopt;
  return plain_set(std::string_view(text).substr(0, text.size() - kChessWord.size()));
}

}  // namespace

std::optional<RuleSet> RuleSet::spelt(std::string_view name) {
  if (name.ends_with('}')) return read_game_name(name);
  if (const auto whole = plain_set(name)) return whole;
  const std::vector<std::string_view> parts = base::split(name, '+');
  std::optional<RuleSet> rules = plain_set(parts.front());
  const auto taken = [&](std::string_view option) { return rules && take_option(*rules, option); };
  return std::all_of(parts.begin() + 1, parts.end(), taken) ? rules : std::nullopt;
}

RuleSet RuleSet::parse_or_read(std::string_view name) {
  return name.ends_with(".toml") ? read_game_file(std::string(name)) : parse(name);
}

RuleSet RuleSet::parse(std::string_view name) {
  if (const auto rules = spelt(name)) return *rules;
  refuse("rule set", name, known_names());
}

std::string RuleSet::known_names() {
  std::string names;
  for (const NamedRuleSet& set : kRuleSets) names.append(set.name).append(", ");
  names += "raindrop+sprint, or a set of the Chess# family with options";
  for (const Option& option : kOptions) names.append(" +").append(option.name);
  return names + " +before=1 to +before=7, or a game's file, my_game.toml";
}

std::string RuleSet::name() const {
  if (game != 0) return rules::game(game).name;
  const std::string name = named(*this, &NamedRuleSet::name);
  return name.empty() ? "unnamed" : name;
}

std::string RuleSet::title() const {
  const std::string whole = name();
  return whole.substr(0, whole.find('{'));
}

std::string RuleSet::variant() const {
  if (game != 0) return name();
  const std::string variant = named(*this, &NamedRuleSet::variant);
  return variant.empty() && *this != kChess ? "unnamed" : variant;
}

std::string RuleSet::uci_variant() const {
  return game != 0 ? folded_name(title()) : named(*this, &NamedRuleSet::uci_variant);
}

std::string RuleSet::app_variant() const { return named(*this, &NamedRuleSet::app_variant); }

RuleSet RuleSet::from_variant(std::string_view variant) {
  if (variant.empty()) return kChess;
  if (const auto rules = spelt(variant)) return *rules;
  std::string names;
  for (const NamedRuleSet& set : kRuleSets) {
    const bool printable = std::ranges::all_of(set.variant, [](char c) { return c > 0; });
    const std::string_view told = printable ? set.variant : set.app_variant;
    if (!told.empty()) names.append(names.empty() ? "" : ", ").append(told);
  }
  refuse("tag Variant", variant, names + ", or none for chess");
}

ScoringTable RuleSet::table() const {
  if (game != 0) return rules::game(game).details.table;
  ScoringTable table;
  if (prices == StandardTable::kChess) table.points_white = {0, 5, 5, 5, 5, 5, 10};
  if (prices == StandardTable::kStalemateWins) table.points_white = {0, 0, 5, 5, 5, 10, 10};
  return table;
}

}  // namespace rules
