#include "rules/rule_set.h"

namespace rules {

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  if (text.size() > kMost) out += "...";
  return out + "'";
}

void refuse(std::string_view field, std::string_view value, std::string_view expectation) {
  throw RulesError(std::string(field) + " " + quoted(value) + ": expected " +
                   std::string(expectation));
}

RuleSet RuleSet::parse(std::string_view name) {
  constexpr std::string_view kBefore = "before=";
  const auto bad = [&] {
    refuse("rule set", name, "chess_sharp, with options +sprint and +before=1 to +before=7");
  };
  std::size_t end = name.find('+');
  if (name.substr(0, end) != "chess_sharp") bad();
  RuleSet rules;
  while (end != std::string_view::npos) {
    const std::size_t begin = end + 1;
    end = name.find('+', begin);
    const std::string_view option = name.substr(begin, end == name.npos ? end : end - begin);
    if (option == "sprint" && !rules.sprint) {
      rules.sprint = true;
    } else if (option.size() == kBefore.size() + 1 && option.starts_with(kBefore) &&
               option.back() >= '1' && option.back() <= '7' && rules.before == 0) {
      rules.before = static_cast<std::uint8_t>(option.back() - '0');
    } else {
      bad();
    }
  }
  return rules;
}

std::string RuleSet::name() const {
  std::string out = "chess_sharp";
  if (sprint) out += "+sprint";
  if (before > 0) out += "+before=" + std::to_string(before);
  return out;
}

}  // namespace rules
