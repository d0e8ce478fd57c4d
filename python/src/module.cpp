// The module sharpzero._core.

#include <exception>
#include <string>

#include "base/errors.h"
#include "base/text.h"
#include "nn/weights.h"
#include "python/src/bindings.h"
#include "rules/error.h"
#include "rules/notation.h"

namespace python {
namespace {

// Turns the program's exceptions into Python's: refused input is a ValueError, what the machine
// does not give an OSError.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const rules::RulesError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const base::InputError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const nn::CheckpointError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const base::EnvironmentError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

rules::RuleSet rule_set(const RulesArgument& argument) {
  if (const auto* name = std::get_if<std::string>(&argument))
    return rules::RuleSet::parse_or_read(*name);
  return std::get<rules::RuleSet>(argument);
}

rules::ScoringTable scoring_table(const TableArgument& argument, rules::RuleSet rules) {
  if (!argument) return rules.table();
  if (const auto* changes = std::get_if<std::string>(&*argument)) {
    return rules::ScoringTable::from_changes(*changes, rules.table());
  }
  return std::get<rules::ScoringTable>(*argument);
}

int checked(const char* what, long long number, int low, int high) {
  return static_cast<int>(base::whole_number(what, std::to_string(number), low, high));
}

std::vector<std::string> uci_of(std::span<const rules::Move> moves) {
  std::vector<std::string> names;
  names.reserve(moves.size());
  for (const rules::Move move : moves) names.push_back(rules::to_uci(move));
  return names;
}

std::optional<std::string> name_of(std::optional<rules::Outcome> outcome) {
  return outcome ? std::optional<std::string>(rules::name(*outcome)) : std::nullopt;
}

const char* name_of(rules::Color color) {
  return color == rules::Color::kWhite ? "white" : "black";
}

}  // namespace python

NB_MODULE(_core, m) {
  nanobind::register_exception_translator(python::translate);
  m.doc() = "The program's rules, search, encoding and games, as the package shows them.";
  python::bind_rules(m);
  python::bind_position(m);
  python::bind_encoding(m);
  python::bind_engine(m);
  python::bind_games(m);
  python::bind_batch(m);
}
