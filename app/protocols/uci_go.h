#pragma once

#include <string>
#include <vector>

#include "rules/position.h"
#include "tactics/search_limits.h"

namespace app {

struct GoCommand {
  tactics::SearchLimits limits;
  std::string error;  // one line that names what was wrong and left out; empty: nothing
};

// Reads "go ..." (the first word is not looked at) in this position. Every go is to be answered, so
// words, numbers and illegal moves that are wrong are left out. Where that leaves a search without
// an end, it searches one node.
GoCommand read_go(const std::vector<std::string>& words, const rules::Position& position);

}  // namespace app
