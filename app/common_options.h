#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/repertoire.h"
#include "rules/rule_set.h"

namespace app {

// Thrown by a command of `sharpzero` whose work is in sharpzero-net.
struct NeedsNet {};

// Understood by every command that has a use for them.
struct CommonOptions {
  std::optional<std::uint64_t> seed;
  int threads = 0;  // 0: all cores
  std::string device = "auto";
  std::optional<std::string> rules;  // not given: the config's, else chess_sharp
  bool any_rules = false;            // a network may play what it did not learn
  bool json = false;
  bool can_hand_over = false;  // this is `sharpzero`, and nothing was said yet

  // Hands the command over to sharpzero-net, unless this is it or cannot.
  void need_net() const {
    if (can_hand_over) throw NeedsNet{};
  }

  // Throws rules::RulesError.
  rules::RuleSet rule_set() const {
    return rules::RuleSet::parse_or_read(rules.value_or("chess_sharp"));
  }

  // The changes of a config, those by options with a name of their own last. Throws
  // rules::RulesError.
  std::vector<std::string> config_changes(std::vector<std::string> changes = {}) const {
    if (seed) changes.push_back("run.seed=" + std::to_string(*seed));
    if (rules)
      changes.push_back("rules.rule_set=" + rules::Repertoire::parse_or_read(*rules).name());
    return changes;
  }
};

}  // namespace app
