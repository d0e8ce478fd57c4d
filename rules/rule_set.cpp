#include "rules/rule_set.h"

#include <algorithm>
#include <utility>

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

// Options, each after a plus sign.
bool switch_on_all(RuleSet& rules, std::string_view options) {
  while (!options.empty()) {
    options.remove_prefix(1);
    const std::size_t end = std::min(options.find('+'), options.size());
    if (!switch_on(rules, options.substr(0, end))) return false;
    options.remove_prefix(end);
  }
  return true;
}

const NamedRuleSet* find_set(RuleSet rules) {
  for (const NamedRuleSet& set : kRuleSets) {
    if (set.rules == rules) return &set;
  }
  return nullptr;
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

// One of the set's names, with the options where it is one of Chess#.
std::string named(RuleSet rules, std::string_view NamedRuleSet::*name) {
  if (rules.is_chess_sharp()) return std::string(kRuleSets[0].*name) + options_of(rules);
  const NamedRuleSet* const set = find_set(rules);
  return std::string(set ? set->*name : "unnamed");
}

}  // namespace

RuleSet RuleSet::parse(std::string_view name) {
  const std::size_t end = std::min(name.find('+'), name.size());
  for (const NamedRuleSet& set : kRuleSets) {
    if (set.name != name.substr(0, end)) continue;
    RuleSet rules = set.rules;
    if (end < name.size() && !(rules.is_chess_sharp() && switch_on_all(rules, name.substr(end)))) {
      break;
    }
    return rules;
  }
  refuse("rule set", name, known_names());
}

std::string RuleSet::known_names() {
  std::string names;
  for (const NamedRuleSet& set : kRuleSets) names.append(set.name).append(", ");
  names += "or chess_sharp with options";
  for (const Option& option : kOptions) names.append(" +").append(option.name);
  return names + " +before=1 to +before=7";
}

std::string RuleSet::name() const { return named(*this, &NamedRuleSet::name); }

std::string RuleSet::variant() const { return named(*this, &NamedRuleSet::variant); }

std::string RuleSet::uci_variant() const { return named(*this, &NamedRuleSet::uci_variant); }

RuleSet RuleSet::from_variant(std::string_view variant) {
  for (const NamedRuleSet& set : kRuleSets) {
    if (set.variant == variant) return set.rules;
  }
  if (variant == "Standard") return kChess;
  if (variant == "Fischerandom") return kChess960;
  const std::string_view sharp = kRuleSets[0].variant;
  if (variant.starts_with(sharp)) {
    return parse(std::string(kRuleSets[0].name).append(variant.substr(sharp.size())));
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
