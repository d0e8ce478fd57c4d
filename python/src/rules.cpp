// RuleSet, ScoringTable and the names of the outcomes.

#include <nanobind/stl/array.h>

#include <new>

#include "python/src/bindings.h"

namespace python {
namespace {

constexpr const char* kRuleSetDoc = R"(Which game is played.

``RuleSet("chess_sharp+sprint")`` reads what the program's ``--rules`` reads. Wherever a rule set is
expected, its name will do. Raises ValueError for an unknown name, and lists the known ones.)";

constexpr const char* kTableDoc =
    R"(What the seven outcomes pay, and the piece values that decide an impasse.

``changes`` is a list such as ``"impasse_equal=4.9,stalemate=2.2,bishop=3.25"`` of changes to the
rule set's own table; ``"default"`` is that table. Wherever a table is expected, such a list will
do. Raises ValueError naming key, value and expectation.)";

std::vector<std::string> names_of_sets() {
  std::vector<std::string> names;
  for (const rules::NamedRuleSet& set : rules::kRuleSets) names.emplace_back(set.name);
  return names;
}

void bind_rule_set(nb::module_& m) {
  using rules::RuleSet;
  nb::class_<RuleSet> type(m, "RuleSet", kRuleSetDoc);
  type.def(
      "__init__",
      [](RuleSet* self, const std::string& name) {
        new (self) RuleSet(RuleSet::parse_or_read(name));
      },
      "name"_a = "chess_sharp");
  type.def_prop_ro("name", &RuleSet::name, "The name that the constructor reads.");
  type.def_prop_ro("table", &RuleSet::table, "The set's own ScoringTable.");
  type.def_prop_ro(
      "has_cards", [](RuleSet self) { return self.entry == rules::Entry::kCard; },
      "Whether pieces are drawn as cards (Raindrop): then some positions are chance's.");
  type.def_static("names", names_of_sets,
                  "The sets with a name of their own; options are added as in ``+sprint``.");
  type.def("__str__", &RuleSet::name);
  type.def("__repr__", [](RuleSet self) { return "RuleSet('" + self.name() + "')"; });
  type.def("__hash__", [](RuleSet self) { return self.id(); });
  type.def("__reduce__", [](RuleSet self) {
    return nb::make_tuple(nb::type<RuleSet>(), nb::make_tuple(self.name()));
  });
  add_equality<RuleSet>(type, [](const RuleSet& a, const RuleSet& b) { return a == b; });
}

void bind_scoring_table(nb::module_& m) {
  using rules::ScoringTable;
  nb::class_<ScoringTable> type(m, "ScoringTable", kTableDoc);
  type.def(
      "__init__",
      [](ScoringTable* self, const std::string& changes, const RulesArgument& rules) {
        new (self) ScoringTable(ScoringTable::from_changes(changes, rule_set(rules).table()));
      },
      "changes"_a = "default", "rules"_a = "chess_sharp");
  type.def_ro("points_white", &ScoringTable::points_white,
              "White's points of ten for each of OUTCOMES; Black has the rest.");
  type.def_ro("material", &ScoringTable::material,
              "The values of pawn, knight, bishop, rook and queen on the board.");
  const auto changes = [](const ScoringTable& self) { return self.to_changes(); };
  type.def("__str__", changes, "The shortest list of changes to Chess#'s table.");
  type.def("__repr__",
           [](const ScoringTable& self) { return "ScoringTable('" + self.to_changes() + "')"; });
  type.def("__hash__",
           [](const ScoringTable& self) { return nb::hash(nb::str(self.to_changes().c_str())); });
  type.def("__reduce__", [](const ScoringTable& self) {
    return nb::make_tuple(nb::type<ScoringTable>(), nb::make_tuple(self.to_changes()));
  });
  add_equality<ScoringTable>(type,
                             [](const ScoringTable& a, const ScoringTable& b) { return a == b; });
}

}  // namespace

void bind_rules(nb::module_& m) {
  nb::list outcomes;
  for (int i = 0; i < rules::kOutcomes; ++i) {
    const std::string_view name = rules::name(static_cast<rules::Outcome>(i));
    outcomes.append(nb::str(name.data(), name.size()));
  }
  m.attr("OUTCOMES") = nb::tuple(outcomes);
  bind_rule_set(m);
  bind_scoring_table(m);
}

}  // namespace python
