#include "app/scoring_table.h"

#include <toml++/toml.h>

#include <sstream>

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
  std::ostringstream changes;
  for (const auto& [key, value] : table) {
    const auto number = value.value<double>();
    if (!value.is_number() || !number) {
      throw InputError(file + ":" + std::to_string(value.source().begin.line) + ": " +
                       std::string(key.str()) + ": expected a number");
    }
    changes << (changes.tellp() > 0 ? "," : "") << key.str() << "=" << *number;
  }
  return changes.str();
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
