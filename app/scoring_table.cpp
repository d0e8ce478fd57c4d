#include "app/scoring_table.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <map>
#include <utility>

#include "rules/error.h"
#include "selfplay/errors.h"

namespace app {
namespace {

using selfplay::InputError;

// The table in a TOML file as a list of changes.
std::string changes_in(const std::string& file) {
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw InputError(file + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  // In the file's order, for a later change goes over an earlier one; the parser sorts by key.
  std::map<std::pair<toml::source_index, toml::source_index>, std::string> changes;
  for (const auto& [key, value] : table) {
    const auto number = value.value<double>();
    const toml::source_position at = value.source().begin;
    if (!value.is_number() || !number) {
      throw InputError(fmt::format("{}:{}: {}: expected a number", file, at.line, key.str()));
    }
    changes[{at.line, at.column}] = fmt::format("{}={}", key.str(), *number);
  }
  std::string list;
  for (const auto& [at, change] : changes) list += (list.empty() ? "" : ",") + change;
  return list;
}

}  // namespace

rules::ScoringTable scoring_table(const std::string& text, rules::RuleSet rules) {
  const rules::ScoringTable standard = rules.table();
  if (!text.ends_with(".toml")) return rules::ScoringTable::from_changes(text, standard);
  const std::string changes = changes_in(text);
  try {
    return rules::ScoringTable::from_changes(changes, standard);
  } catch (const rules::RulesError& error) {
    throw InputError(text + ": " + error.what());
  }
}

}  // namespace app
