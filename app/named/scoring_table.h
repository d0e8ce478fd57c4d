#pragma once

#include <string>

#include "rules/outcome.h"
#include "rules/rule_set.h"

namespace app {

// T of the command line: "default" (the rule set's own table), a list of changes to that, or a TOML
// file (*.toml) with the same keys. Throws base::InputError or rules::RulesError.
rules::ScoringTable scoring_table(const std::string& text, rules::RuleSet rules = {});

}  // namespace app
