#pragma once
// Constants of the search that a measurement sets: see search_constants.h.

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace tactics {

// The constant's value, or the one that the environment variable SHARPZERO_TUNE names, as in
// kNullMoveReduction=4,kRazoringMargin=350. What is not a number counts as 0.
template <class Number>
Number tuned(std::string_view name, Number value) {
  const char* named = std::getenv("SHARPZERO_TUNE");
  for (std::string_view rest = named == nullptr ? "" : named; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (one.substr(0, one.find('=')) != name) continue;
    const std::string_view number = one.substr(std::min(name.size() + 1, one.size()));
    value = {};
    std::from_chars(number.data(), number.data() + number.size(), value);
  }
  return value;
}

}  // namespace tactics
