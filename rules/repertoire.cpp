#include "rules/repertoire.h"

#include <algorithm>

#include "rules/error.h"

namespace rules {

Repertoire Repertoire::parse(std::string_view names) {
  Repertoire parsed;
  parsed.sets_.clear();
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const RuleSet rules = RuleSet::parse(names.substr(begin, end - begin));
    if (parsed.contains(rules)) refuse("rule sets", names, "each of them once");
    parsed.sets_.push_back(rules);
    begin = end + 1;
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
  if (sets_.size() == 1) return sets_.front();
  return sets_[rng.below(static_cast<std::uint32_t>(sets_.size()))];
}

Position draw_start(RuleSet rules, base::Rng& rng) {
  constexpr std::uint32_t kShuffles = 960;
  if (rules.setup != Setup::kShuffled) return Position::start(rules);
  return Position::start(rules, static_cast<int>(rng.below(kShuffles)));
}

}  // namespace rules
