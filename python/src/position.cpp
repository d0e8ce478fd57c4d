// Position.

#include "python/src/position.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <map>
#include <new>
#include <utility>

#include "python/src/bindings.h"
#include "rules/perft.h"

namespace python {

rules::Move GamePosition::pop() {
  const rules::Move move = line_.moves.back();
  line_.moves.pop_back();
  line_.position = before_.back();
  before_.pop_back();
  if (line_.position.rule_set().repetition) line_.past.cut(line_.past.size() - 1);
  return move;
}

namespace {

constexpr const char* kDoc = R"(A position of a game, and the moves that led to it.

``Position()`` is the start of Chess#; ``fen`` and ``rules`` give others, ``number`` one of the 960
starts of a shuffled set, and ``moves`` are played from there. Moves are strings in UCI: ``"e2e3"``,
``"e7e8q"``, ``"N@d1"`` (a placement); with cards ``"draw"``, ``"?N"``, ``"pass"``. Raises ValueError
naming what was refused and what was expected. Positions compare by what is on the board, in
reserve and on the clocks, not by their moves.)";

constexpr const char* kOutcomeDoc =
    R"(The name of the game's outcome (one of OUTCOMES); None while it goes on.

``table``: its piece values decide an impasse; None is the rule set's own.)";

constexpr const char* kPerftDoc =
    R"(The number of leaves of the tree of legal moves ``depth`` plies deep.

``ends``: stop at impasse, stalemate and mate too, not only at a captured king. Other threads run
meanwhile.)";

GamePosition made(const std::optional<std::string>& fen, const RulesArgument& rules,
                  const std::vector<std::string>& moves, int number) {
  const rules::RuleSet set = rule_set(rules);
  checked("number", number, 0, 959);
  GamePosition position(fen ? rules::Position::from_fen(*fen, set)
                            : rules::Position::start(set, number));
  for (const std::string& move : moves) position.push(move);
  return position;
}

std::vector<std::pair<std::string, double>> draws(const GamePosition& self) {
  std::vector<std::pair<std::string, double>> cards;
  if (!self.now().is_chance()) return cards;
  for (const rules::Move card : self.now().legal_moves()) {
    cards.emplace_back(rules::to_uci(card), self.now().card_chance(card));
  }
  return cards;
}

std::uint64_t perft(const GamePosition& self, int depth, bool ends) {
  const rules::Position position = self.now();
  checked("depth", depth, 0, 100);
  const nb::gil_scoped_release release;
  return rules::perft(position, depth, {.ends = ends});
}

std::map<std::string, std::uint64_t> perft_divide(const GamePosition& self, int depth, bool ends) {
  const rules::Position position = self.now();
  checked("depth", depth, 1, 100);
  const nb::gil_scoped_release release;
  std::map<std::string, std::uint64_t> leaves;
  for (const auto& [move, below] : rules::perft_divide(position, depth, {.ends = ends})) {
    leaves[rules::to_uci(move)] = below;
  }
  return leaves;
}

using Type = nb::class_<GamePosition>;

void add_state(Type& type) {
  type.def_prop_ro(
      "fen", [](const GamePosition& self) { return self.now().to_fen(); }, "The position as FEN.");
  type.def_prop_ro(
      "start_fen", [](const GamePosition& self) { return self.start().to_fen(); },
      "Where the game began, as FEN.");
  type.def_prop_ro(
      "moves", [](const GamePosition& self) { return uci_of(self.moves()); },
      "The moves from there, in UCI.");
  type.def_prop_ro(
      "rules", [](const GamePosition& self) { return self.now().rule_set(); }, "The RuleSet.");
  type.def_prop_ro(
      "side_to_move", [](const GamePosition& self) { return name_of(self.now().side_to_move()); },
      "\"white\" or \"black\".");
  type.def_prop_ro(
      "halfmove_clock", [](const GamePosition& self) { return self.now().halfmove_clock(); },
      "Plies since the last capture or pawn move; an impasse comes at 100.");
  type.def_prop_ro(
      "fullmove_number", [](const GamePosition& self) { return self.now().fullmove_number(); },
      "The number of the move, from 1.");
  type.def_prop_ro(
      "occurrences", &GamePosition::occurrences,
      "How often the game has come to the position; 1 where repetition does not count.");
  type.def_prop_ro(
      "in_check",
      [](const GamePosition& self) { return self.now().in_check(self.now().side_to_move()); },
      "Whether the king of the side to move stands on an attacked square.");
  type.def_prop_ro(
      "key", [](const GamePosition& self) { return self.now().key(); },
      "A 64-bit hash of all but the clocks, the same on every machine.");
}

void add_moves(Type& type) {
  type.def_prop_ro(
      "legal_moves", [](const GamePosition& self) { return uci_of(self.legal_moves()); },
      "The legal moves in UCI, in a fixed order; none once the game is over.");
  type.def(
      "push", [](GamePosition& self, const std::string& move) { self.push(move); }, "move"_a,
      "Plays a move in UCI. Raises ValueError unless it is legal and the game may go on.");
  type.def(
      "push_san",
      [](GamePosition& self, const std::string& san) {
        self.push(rules::to_uci(rules::parse_san(self.now(), san)));
      },
      "san"_a, "Plays a move in SAN. Raises as push().");
  type.def(
      "pop",
      [](GamePosition& self) {
        if (self.moves().empty()) throw nb::index_error("pop: no move has been played");
        return rules::to_uci(self.pop());
      },
      "Takes the last move back and returns it. Raises IndexError where there is none.");
  type.def(
      "san",
      [](const GamePosition& self, const std::string& move) {
        return rules::to_san(self.now(), rules::parse_uci(self.now(), move));
      },
      "move"_a, "A legal move (UCI) in SAN. Raises ValueError unless it is legal.");
  type.def(
      "uci",
      [](const GamePosition& self, const std::string& san) {
        return rules::to_uci(rules::parse_san(self.now(), san));
      },
      "san"_a, "A legal move (SAN) in UCI. Raises ValueError unless it names exactly one.");
  type.def_prop_ro(
      "is_chance", [](const GamePosition& self) { return self.now().is_chance(); },
      "Whether a card is being drawn (Raindrop): its moves are the cards, and chance chooses.");
  type.def_prop_ro("draws", draws,
                   "The cards that may come, each with its probability; none unless is_chance.");
}

void add_results(Type& type) {
  type.def(
      "outcome",
      [](const GamePosition& self, const TableArgument& table) {
        return name_of(self.outcome(scoring_table(table, self.now().rule_set())));
      },
      "table"_a = nb::none(), kOutcomeDoc);
  type.def(
      "points",
      [](const GamePosition& self, const TableArgument& table) -> std::optional<double> {
        const rules::ScoringTable prices = scoring_table(table, self.now().rule_set());
        const auto outcome = self.outcome(prices);
        if (!outcome) return std::nullopt;
        return prices.white_points(*outcome);
      },
      "table"_a = nb::none(),
      "White's points of ten for that outcome; None while the game goes on.");
  type.def("perft", perft, "depth"_a, "ends"_a = false, kPerftDoc);
  type.def("perft_divide", perft_divide, "depth"_a, "ends"_a = false,
           "The same for each legal move. Expects a depth of at least 1.");
}

}  // namespace

void bind_position(nb::module_& m) {
  Type type(m, "Position", kDoc);
  type.def(
      "__init__",
      [](GamePosition* self, const std::optional<std::string>& fen, const RulesArgument& rules,
         const std::vector<std::string>& moves,
         int number) { new (self) GamePosition(made(fen, rules, moves, number)); },
      "fen"_a = nb::none(), "rules"_a = "chess_sharp", "moves"_a = nb::make_tuple(),
      "number"_a = 518);
  add_state(type);
  add_moves(type);
  add_results(type);
  const auto copy = [](const GamePosition& self) { return self; };
  type.def("copy", copy, "A copy, with its moves.");
  type.def("__copy__", copy);
  type.def(
      "__deepcopy__", [](const GamePosition& self, const nb::dict&) { return self; }, "memo"_a);
  type.def("__str__", [](const GamePosition& self) { return self.now().to_fen(); });
  type.def("__repr__", [](const GamePosition& self) {
    return "Position('" + self.now().to_fen() + "', '" + self.now().rule_set().name() + "')";
  });
  type.def("__reduce__", [](const GamePosition& self) {
    return nb::make_tuple(
        nb::type<GamePosition>(),
        nb::make_tuple(self.start().to_fen(), self.now().rule_set().name(), uci_of(self.moves())));
  });
  add_equality<GamePosition>(
      type, [](const GamePosition& a, const GamePosition& b) { return a.now() == b.now(); });
  type.attr("__hash__") = nb::none();  // it changes
}

}  // namespace python
