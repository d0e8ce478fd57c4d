#pragma once
// Which game is played: a plain constant.

#include <cstdint>
#include <string>
#include <string_view>

#include "rules/error.h"

namespace rules {

// The part of a rule set that changes code and not just a number: the template argument of the
// move generator. A further game adds its fields here and its row to dispatch().
struct Mechanics {
  bool sprint = false;  // pawns on their second row may move two squares; en passant
  bool gated = false;   // men may move only when `before` other pieces have left the reserve
  bool operator==(const Mechanics&) const = default;
};

// Chess# and its options.
struct RuleSet {
  bool sprint = false;
  // Men on the board may move once the king is on it and this many of the seven other pieces have
  // left the reserve; 0 to 7.
  std::uint8_t before = 0;

  // "chess_sharp", "chess_sharp+sprint+before=3"; the options in any order, each at most once.
  // Throws RulesError.
  static RuleSet parse(std::string_view name);
  // What parse() reads, the options in a fixed order.
  std::string name() const;

  // One byte that stands for the rule set in positions, keys and records; Chess# is 0.
  constexpr std::uint8_t id() const {
    return static_cast<std::uint8_t>((sprint ? 1 : 0) | before << 1);
  }
  // REQUIRES: id was made by id().
  static constexpr RuleSet from_id(std::uint8_t id) {
    return {.sprint = (id & 1) != 0, .before = static_cast<std::uint8_t>(id >> 1)};
  }

  bool operator==(const RuleSet&) const = default;
};

// Calls f.operator()<Mechanics>() for the rule set with this id: the one switch.
template <class F>
inline decltype(auto) dispatch(std::uint8_t rule_set_id, F&& f) {
  if (rule_set_id == 0) [[likely]]
    return f.template operator()<Mechanics{}>();
  const bool gated = rule_set_id > 1;
  if ((rule_set_id & 1) == 0) return f.template operator()<Mechanics{.gated = true}>();
  return gated ? f.template operator()<Mechanics{.sprint = true, .gated = true}>()
               : f.template operator()<Mechanics{.sprint = true}>();
}

}  // namespace rules
