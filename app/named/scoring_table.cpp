#include "app/named/scoring_table.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <map>

#include "base/errors.h"
#include "rules/error.h"

namespace app {
namespace {

// The table in a TOML file: `standard` with its changes.
rules::ScoringTable table_in(const std::string& file, const rules::ScoringTable& standard) {
  if (std::error_code none; !std::filesystem::is_regular_file(file, none)) {
    throw base::InputError("cannot read scoring table " + file);
  }
  toml::table keys;
  try {
    keys = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw base::InputError(
        fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  }
  // In the file's order, for a later change goes over an earlier one; the parser sorts by key.
  std::map<toml::source_position, std::string> changes;
  for (const auto& [key, value] : keys) {
    const auto number = value.value<double>();
    const toml::source_position at = value.source().begin;
    if (!value.is_number() || !number) {
      throw base::InputError(fmt::format("{}:{}: {}: expected a number", file, at.line, key.str()));
    }
    changes[at] = fmt::format("{}={}", key.str(), *number);
  }
  rules::ScoringTable table = standard;
  std::string where = file;
  try {
    for (const auto& [at, change] : changes) {
      where = fmt::format("{}:{}", file, at.line);
      table.set(change);
    }
    where = file;
    table.check();
  } catch (const rules::RulesError& error) {
    throw base::InputError(where + ": " + error.what());
  }
  return table;
}

}  // namespace

rules::ScoringTable scoring_table(const std::string& text, rules::RuleSet rules) {
  std::error_code none;
  const bool lists_changes = text == "default" || text.find('=') != std::string::npos;
  const bool is_file = !lists_changes && std::filesystem::is_regular_file(text, none);
  if (is_file || text.ends_with(".toml")) return table_in(text, rules.table());
  return rules::ScoringTable::from_changes(text, rules.table());
}

}  // namespace app
