#include "rules/rule_set.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/split.h"
#include "rules/outcome.h"

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
bool switch_on(RuleSet& rules, std::string_view option) {
  for (const auto& [name, field] : kOptions) {
    if (option == name) return !std::exchange(rules.*field, true);
  }
  const bool digit = option.size() == kBefore.size() + 1 && option.starts_with(kBefore) &&
                     option.back() >= '1' && option.back() <= '7';
  if (!digit || rules.before != 0) return false;
  rules.before = static_cast<std::uint8_t>(option.back() - '0');
  return true;
}

// As "+sprint+before=3", of a set of Chess#.
std::string options_of(RuleSet rules) {
  std::string out;
  for (const auto& [name, field] : kOptions) {
    if (rules.*field) out.append("+").append(name);
  }
  if (rules.before > 0) out += "+before=" + std::to_string(rules.before);
  return out;
}

// One of the set's names, with the options where it is one of Chess# or Raindrop.
std::string named(RuleSet rules, std::string_view NamedRuleSet::*name) {
  if (rules.is_chess_sharp()) return std::string(kRuleSets[0].*name) + options_of(rules);
  const bool option = rules.entry == Entry::kCard && std::exchange(rules.sprint, false);
  const auto set = std::ranges::find(kRuleSets, rules, &NamedRuleSet::rules);
  if (set == kRuleSets.end()) return "unnamed";
  return std::string((*set).*name) + (option ? "+sprint" : "");
}

// Takes the option up; false where the set does not have it, or has it on already.
bool take_option(RuleSet& rules, std::string_view option) {
  if (rules.is_chess_sharp()) return switch_on(rules, option);
  return rules.entry == Entry::kCard && option == "sprint" && !std::exchange(rules.sprint, true);
}

}  // namespace

RuleSet RuleSet::parse(std::string_view name) {
  const std::vector<std::string_view> parts = base::split(name, '+');
  const auto set = std::ranges::find(kRuleSets, parts.front(), &NamedRuleSet::name);
  if (set != kRuleSets.end()) {
    RuleSet rules = set->rules;
    const auto taken = [&](std::string_view option) { return take_option(rules, option); };
    if (std::all_of(parts.begin() + 1, parts.end(), taken)) return rules;
  }
  refuse("rule set", name, known_names());
}

std::string RuleSet::known_names() {
  std::string names;
  for (const NamedRuleSet& set : kRuleSets) names.append(set.name).append(", ");
  names += "raindrop+sprint, or chess_sharp with options";
  for (const Option& option : kOptions) names.append(" +").append(option.name);
  return names + " +before=1 to +before=7";
}

std::string RuleSet::name() const { return named(*this, &NamedRuleSet::name); }

std::string RuleSet::variant() const { return named(*this, &NamedRuleSet::variant); }

std::string RuleSet::uci_variant() const { return named(*this, &NamedRuleSet::uci_variant); }

RuleSet RuleSet::from_variant(std::string_view variant) {
  const auto named_so = std::ranges::find(kRuleSets, variant, &NamedRuleSet::variant);
  if (named_so != kRuleSets.end()) return named_so->rules;
  if (variant == "Standard") return kChess;
  if (variant == "Fischerandom") return kChess960;
  for (const NamedRuleSet& set : {kRuleSets.front(), kRuleSets.back()}) {  // those with options
    if (!variant.starts_with(set.variant)) continue;
    return parse(std::string(set.name).append(variant.substr(set.variant.size())));
  }
  std::string names;
  for (const NamedRuleSet& set : kRuleSets) {
    if (!set.variant.empty()) names.append(names.empty() ? "" : ", ").append(set.variant);
  }
  refuse("tag Variant", variant, names + ", or none for chess");
}

ScoringTable RuleSet::table() const {
  ScoringTable table;
  if (prices == StandardTable::kChess) table.points_white = {0, 5, 5, 5, 5, 5, 10};
  if (prices == StandardTable::kStalemateWins) table.points_white = {0, 0, 5, 5, 5, 10, 10};
  return table;
}

}  // namespace rules
