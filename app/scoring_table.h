#pragma once

#include <string>

#include "rules/outcome.h"

namespace app {

// T of the command line: "default", a list of changes, or a TOML file (*.toml) with the same keys.
// Throws selfplay::InputError or rules::RulesError.
rules::ScoringTable scoring_table(const std::string& text);

}  // namespace app
