#pragma once
// What the files of the Python module share: how arguments of Python become values of the program.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "rules/types.h"

namespace python {

namespace nb = nanobind;
using namespace nb::literals;

// A rule set, or a name that RuleSet::parse() reads.
using RulesArgument = std::variant<rules::RuleSet, std::string>;
// A scoring table, or changes to the rule set's own; none: that.
using TableArgument = std::optional<std::variant<rules::ScoringTable, std::string>>;

// Throws rules::RulesError where there is no set of that name.
rules::RuleSet rule_set(const RulesArgument& argument);
// Throws rules::RulesError where the changes are none.
rules::ScoringTable scoring_table(const TableArgument& argument, rules::RuleSet rules);
// `number`, named `what`. Throws base::InputError where it is not in [low, high].
int checked(const char* what, long long number, int low, int high);

// The moves in UCI.
std::vector<std::string> uci_of(std::span<const rules::Move> moves);
// The outcome's name; none while there is none.
std::optional<std::string> name_of(std::optional<rules::Outcome> outcome);
const char* name_of(rules::Color color);  // "white", "black"

// Adds comparison by value to the class.
template <class T, class... Options>
void add_equality(nb::class_<T, Options...>& type, bool (*equal)(const T&, const T&)) {
  type.def(
      "__eq__", [equal](const T& a, const T& b) { return equal(a, b); }, nb::is_operator(),
      nb::sig("def __eq__(self, other: object, /) -> bool"));
}

// Each adds its classes and functions to the module, in this order.
void bind_rules(nb::module_& m);
void bind_position(nb::module_& m);
void bind_encoding(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_games(nb::module_& m);
void bind_batch(nb::module_& m);

}  // namespace python
