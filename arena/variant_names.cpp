#include "arena/variant_names.h"

#include <algorithm>

#include "rules/spelling.h"

namespace arena {
bool names_variant(std::string_view word, rules::RuleSet rules) {
  const std::string text = rules::folded_name(word);
  const auto is_named = [&](const std::string& name) {
    return !name.empty() && text == rules::folded_name(name);
  };
  return is_named(rules.uci_variant()) || is_named(rules.app_variant()) || is_named(rules.name());
}

std::string variant_for(const std::vector<std::string>& listed, rules::RuleSet rules) {
  const std::string own = rules.uci_variant();
  if (std::ranges::find(listed, own) != listed.end()) return own;
  const auto other =
      std::ranges::find_if(listed, [&](const auto& word) { return names_variant(word, rules); });
  return other == listed.end() ? own : *other;
}

std::vector<std::string> combo_values(std::string_view option) {
  constexpr std::string_view kVar = " var ";
  std::vector<std::string> values;
  for (auto at = option.find(kVar); at != std::string_view::npos;) {
    at += kVar.size();
    const auto next = option.find(kVar, at);
    std::string_view value = option.substr(at, next == std::string_view::npos ? next : next - at);
    value.remove_suffix(value.size() - std::min(value.size(), value.find_last_not_of(' ') + 1));
    values.emplace_back(value);
    at = next;
  }
  return values;
}

}  // namespace arena
