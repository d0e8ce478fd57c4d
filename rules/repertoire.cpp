#include "rules/repertoire.h"

#include <algorithm>

#include "base/text.h"
#include "rules/error.h"

namespace rules {

Repertoire Repertoire::parse(std::string_view names) {
  Repertoire parsed;
  parsed.sets_.clear();
  if (names.ends_with('}')) return RuleSet::parse(names);  // which may have commas
  for (const std::string_view name : base::split(names, ',')) {
    const RuleSet rules = RuleSet::parse(name);
    if (parsed.contains(rules)) refuse("rule sets", names, "each of them once");
    parsed.sets_.push_back(rules);
  }
  const auto from_file = [](RuleSet rules) { return rules.game != 0; };
  if (parsed.sets_.size() > 1 && std::ranges::any_of(parsed.sets_, from_file)) {
    refuse("rule sets", names,
           "a game from a file alone, for a network could not tell it from others");
  }
  return parsed;
}

std::string Repertoire::name() const {
  std::string names;
  for (const RuleSet& rules : sets_) names += (names.empty() ? "" : ",") + rules.name();
  return names;
}

bool Repertoire::contains(RuleSet rules) const {
  return std::find(sets_.begin(), sets_.end(), rules) != sets_.end();
}

RuleSet Repertoire::draw(base::Rng& rng) const {
  return sets_.size() == 1 ? first() : sets_[rng.below(static_cast<std::uint32_t>(sets_.size()))];
}

Position draw_start(RuleSet rules, base::Rng& rng) {
  const int starts = starts_of(rules);
  if (starts == 1) return Position::start(rules);
  return Position::start(rules, static_cast<int>(rng.below(static_cast<std::uint32_t>(starts))));
}

Move draw_card(const Position& position, base::Rng& rng) {
  const Color side = position.side_to_move();
  auto left = static_cast<int>(rng.below(static_cast<std::uint32_t>(position.deck_size(side))));
  for (const Card card : kAllCards) {
    left -= position.in_deck(side, card);
    if (left < 0) return Move::card(card);
  }
  return {};
}

}  // namespace rules
