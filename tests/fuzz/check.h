#pragma once
// What fuzz targets have in common.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "rules/rule_set.h"

namespace fuzz {

// Always on, in every build.
inline void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

// A refusal is one line of printable text that says what was expected.
inline void check_refusal(std::string_view message) {
  check(message.find(": expected ") != message.npos, "a refusal says what was expected");
  for (const char c : message) check(c >= 0x20 && c < 0x7f, "a refusal is one printable line");
}

// The set that the first byte of an input names: one of Chess#'s 128, or one of the others.
inline rules::RuleSet rule_set(std::uint8_t byte) {
  if (byte < 128) return rules::RuleSet::from_id(byte);
  return rules::kRuleSets[(byte - 128u) % rules::kRuleSets.size()].rules;
}

}  // namespace fuzz
