#pragma once
// The rule sets that one network plays.

#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "rules/position.h"
#include "rules/rule_set.h"

namespace rules {

// One rule set or more, without repeats.
class Repertoire {
 public:
  Repertoire() = default;  // Chess#
  Repertoire(RuleSet rules) : sets_{rules} {}
  // Names as of RuleSet::parse, between commas. Throws RulesError.
  static Repertoire parse(std::string_view names);
  // The same as of RuleSet::parse_or_read.
  static Repertoire parse_or_read(std::string_view names);
  std::string name() const;   // what parse() reads
  std::string title() const;  // for people: of games from files their titles alone

  const std::vector<RuleSet>& sets() const { return sets_; }
  RuleSet first() const { return sets_.front(); }
  bool contains(RuleSet rules) const;
  // One of them, all equally likely; a single one takes no random number.
  RuleSet draw(base::Rng& rng) const;
  bool operator==(const Repertoire&) const = default;

 private:
  std::vector<RuleSet> sets_{RuleSet{}};
};

// A game's first position: of a shuffled setup one of its rows, all equally likely.
Position draw_start(RuleSet rules, base::Rng& rng);

// The card that comes, by the numbers left in the deck. REQUIRES: position.is_chance().
Move draw_card(const Position& position, base::Rng& rng);

}  // namespace rules
