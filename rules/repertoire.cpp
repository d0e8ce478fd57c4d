#include "rules/repertoire.h"

#include <algorithm>

#include "base/text.h"
#include "rules/error.h"

namespace rules {
namespace {

// At the commas outside of braces.
std::vector<std::string_view> split_names(std::string_view names) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= names.size(); ++i) {
    const char c = i < names.size() ? names[i] : ',';
    depth += (c == '{') - (c == '}');
    if (c != ',' || (depth > 0 && i < names.size())) continue;
    parts.push_back(names.substr(from, i - from));
    from = i + 1;
  }
  return parts;
}

std::vector<RuleSet> sets_of(std::string_view names, RuleSet (*read)(std::string_view)) {
  std::vector<RuleSet> sets;
  for (const std::string_view name : split_names(names)) {
    sets.push_back(read(name));
    if (std::ranges::count(sets, sets.back()) > 1) refuse("rule sets", names, "each of them once");
  }
  return sets;
}

}  // namespace

Repertoire Repertoire::parse(std::string_view names) {
  Repertoire parsed;
  parsed.sets_ = sets_of(names, RuleSet::parse);
  return parsed;
}

Repertoire Repertoire::parse_or_read(std::string_view names) {
  Repertoire parsed;
  parsed.sets_ = sets_of(names, RuleSet::parse_or_read);
  return parsed;
}

std::string Repertoire::name() const {
  std::string names;
  for (const RuleSet& rules : sets_) names += (names.empty() ? "" : ",") + rules.name();
  return names;
}

std::string Repertoire::title() const {
  std::string titles;
  for (const RuleSet& rules : sets_) titles += (titles.empty() ? "" : ",") + rules.title();
  return titles;
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
