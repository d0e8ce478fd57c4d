#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace rules {

// A refused input. The message names the field, its value and what was expected, on one line.
class RulesError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `text` in single quotes, fit for a message: bytes that do not print as \xNN, cut after 40.
std::string quoted(std::string_view text);

// The one form of every refusal: "FIELD 'VALUE': expected EXPECTATION".
[[noreturn]] void refuse(std::string_view field, std::string_view value,
                         std::string_view expectation);

}  // namespace rules
