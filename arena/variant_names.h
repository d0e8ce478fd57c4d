#pragma once
// How UCI engines spell the names of variants.

#include <string>
#include <string_view>
#include <vector>

#include "rules/rule_set.h"

namespace arena {

// Whether an engine's word for a variant means the rule set: RuleSet::uci_variant(), app_variant()
// or name(), in any spelling (rules::folded_name).
bool names_variant(std::string_view word, rules::RuleSet rules);

// What an engine that lists these variants is told, to play the rule set: the one of them that
// means it, uci_variant() where several do or none.
std::string variant_for(const std::vector<std::string>& listed, rules::RuleSet rules);

// The values of an engine's "option name NAME type combo default A var A var B …".
std::vector<std::string> combo_values(std::string_view option);

}  // namespace arena
