// What a network sees of a position, and where it tells of a move.

#include "python/src/encoding.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "base/errors.h"
#include "python/src/position.h"
#include "rules/repertoire.h"
#include "tactics/lookahead.h"

namespace python {
namespace {

constexpr const char* kPlanesDoc = R"(What a network takes: (planes, globals), both float32.

For a sequence of n positions planes is [n, P, 8, 8] and globals [n, G], as a network exported by
``sharpzero export`` takes them; for one position [P, 8, 8] and [G]. Both are seen by the side to
move: row 0 is its own first row, column 0 the a-file. P and G are those of shape().

``table``: the scoring table that the game is played for; None is the rule set's own.
``lookahead``: plies of the tactical search whose finding is among the inputs: 2 in self-play, 4 in
play. ``network_rules``: the rule sets of the network, between commas; None is the first position's.
A game that is over has no finding. Raises ValueError where a card is being drawn, and where the
network does not play a position's rule set. Other threads run meanwhile.)";

constexpr const char* kIndexDoc =
    R"(Where the network's policy tells of a legal move (UCI): in [0, policy size).

Seen by the side to move. ``network_rules`` as for planes(). Raises ValueError unless it is legal.)";

constexpr const char* kIndicesDoc =
    R"(The same for all of position.legal_moves, in their order: int64 [moves].)";

constexpr const char* kShapeDoc =
    R"(How many planes, global inputs and policy logits a network for these rule sets has.

``rules``: one set, or several between commas, as ``--rules`` of ``train``.)";

using NetworkRules = std::optional<RulesArgument>;

rules::Repertoire repertoire(const NetworkRules& argument, rules::RuleSet own) {
  if (!argument) return own;
  if (const auto* names = std::get_if<std::string>(&*argument)) {
    return rules::Repertoire::parse(*names);
  }
  return std::get<rules::RuleSet>(*argument);
}

// Throws base::InputError where such a network does not play the position.
void require_encodable(const rules::Repertoire& repertoire, const rules::Position& position) {
  if (!repertoire.contains(position.rule_set())) {
    throw base::InputError("position of the rule set " + position.rule_set().name() +
                           ": expected one of the network's, " + repertoire.name());
  }
  if (position.is_chance()) {
    throw base::InputError("position " + position.to_fen() +
                           ": a card is being drawn, so nobody is to move; expected the card");
  }
}

Question question_of(const GamePosition& position) {
  return {position.now(), position.occurrences(), position.is_over()};
}

Inputs inputs_of(const std::vector<const GamePosition*>& positions, const TableArgument& table,
                 int lookahead, const NetworkRules& network_rules) {
  checked("lookahead", lookahead, 0, kMostLookahead);
  if (positions.empty()) throw base::InputError("planes: expected at least one position");
  std::vector<Question> questions;
  std::vector<rules::ScoringTable> tables;
  for (const GamePosition* position : positions) {
    if (!position) throw nb::type_error("planes: expected positions, not None");
    questions.push_back(question_of(*position));
    tables.push_back(scoring_table(table, position->now().rule_set()));
  }
  const rules::Repertoire known = repertoire(network_rules, questions[0].position.rule_set());
  for (const Question& question : questions) require_encodable(known, question.position);
  const nb::gil_scoped_release release;
  const nn::Encoder encoder(known);
  Inputs inputs(encoder, questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    inputs.set(i, encoder, questions[i], tables[i], lookahead);
  }
  return inputs;
}

std::pair<Array<float, -1, 8, 8>, Array<float, -1>> planes_of_one(
    const GamePosition& position, const TableArgument& table, int lookahead,
    const NetworkRules& network_rules) {
  Inputs inputs = inputs_of({&position}, table, lookahead, network_rules);
  const auto planes = static_cast<std::size_t>(inputs.shape.planes);
  return {std::move(inputs.planes).as_array<-1, 8, 8>({planes, 8, 8}),
          std::move(inputs.globals).as_array<-1>({inputs.global_size()})};
}

nn::Encoder encoder_for(const GamePosition& position, const NetworkRules& network_rules) {
  const rules::Repertoire known = repertoire(network_rules, position.now().rule_set());
  require_encodable(known, position.now());
  return nn::Encoder(known);
}

int policy_index(const GamePosition& position, const std::string& move,
                 const NetworkRules& network_rules) {
  return encoder_for(position, network_rules)
      .policy_index(rules::parse_uci(position.now(), move), position.now().side_to_move());
}

Array<std::int64_t, -1> policy_indices(const GamePosition& position,
                                       const NetworkRules& network_rules) {
  const nn::Encoder encoder = encoder_for(position, network_rules);
  const rules::MoveList moves = position.legal_moves();
  Buffer<std::int64_t> indices(moves.size());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    indices.data()[i] = encoder.policy_index(moves[i], position.now().side_to_move());
  }
  return std::move(indices).as_array<-1>({moves.size()});
}

std::tuple<int, int, int> shape_of(const RulesArgument& rules) {
  const nn::Shape shape = nn::Encoder(repertoire(rules, {})).shape();
  return {shape.planes, shape.globals, shape.policy_size()};
}

}  // namespace

void Inputs::set(std::size_t i, const nn::Encoder& encoder, const Question& question,
                 const rules::ScoringTable& table, int lookahead) {
  thread_local tactics::Lookahead search;
  tactics::Finding finding;
  if (!question.is_over) {
    rules::MoveList survivors;
    question.position.surviving_moves(survivors);
    finding = search.find(question.position, table, survivors, lookahead);
  }
  nn::EncodedPosition encoded;
  encoder.encode(question.position, question.occurrences, table, finding, encoded);
  float* plane = planes.data() + i * plane_size();
  for (int p = 0; p < shape.planes; ++p, plane += 64) {
    for (rules::Bitboard squares = encoded.planes[static_cast<std::size_t>(p)]; squares;) {
      plane[rules::index(rules::pop_first(squares))] = 1;
    }
  }
  nn::copy_globals({&encoded, 1}, shape.globals, globals.data() + i * global_size());
}

std::pair<Array<float, -1, -1, 8, 8>, Array<float, -1, -1>> Inputs::as_arrays() && {
  return {std::move(planes).as_array<-1, -1, 8, 8>(
              {count, static_cast<std::size_t>(shape.planes), 8, 8}),
          std::move(globals).as_array<-1, -1>({count, global_size()})};
}

void bind_encoding(nb::module_& m) {
  m.def("planes", planes_of_one, "position"_a, "table"_a = nb::none(), "lookahead"_a = kLookahead,
        "network_rules"_a = nb::none(), kPlanesDoc);
  m.def(
      "planes",
      [](const std::vector<const GamePosition*>& positions, const TableArgument& table,
         int lookahead, const NetworkRules& network_rules) {
        return inputs_of(positions, table, lookahead, network_rules).as_arrays();
      },
      "positions"_a, "table"_a = nb::none(), "lookahead"_a = kLookahead,
      "network_rules"_a = nb::none());
  m.def("policy_index", policy_index, "position"_a, "move"_a, "network_rules"_a = nb::none(),
        kIndexDoc);
  m.def("policy_indices", policy_indices, "position"_a, "network_rules"_a = nb::none(),
        kIndicesDoc);
  m.def("shape", shape_of, "rules"_a = "chess_sharp", kShapeDoc);
}

}  // namespace python
