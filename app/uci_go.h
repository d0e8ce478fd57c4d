#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mcts/analysis.h"
#include "rules/position.h"

namespace app {

// `text` as a whole number; otherwise an InputError that begins with `what`.
std::int64_t whole_number(const std::string& what, const std::string& text, std::int64_t low,
                          std::int64_t high);

// The limits of "go ..." (the first word is not looked at) in this position. Throws
// selfplay::InputError or rules::RulesError.
mcts::AnalysisLimits read_go(const std::vector<std::string>& words,
                             const rules::Position& position);

}  // namespace app
