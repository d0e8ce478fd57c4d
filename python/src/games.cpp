// Games of runs and studies, and of PGN files.

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/errors.h"
#include "python/src/bindings.h"
#include "python/src/position.h"
#include "selfplay/game_pgn.h"
#include "selfplay/game_store.h"

namespace python {
namespace {

namespace fs = std::filesystem;
using selfplay::GameRecord;
using selfplay::PlyRecord;

constexpr const char* kGamesDoc =
    R"(Iterates over stored games, in the order in which they were stored.

``path``: a run's folder, a study's, or a store (games.db). ``generation``: only this one's.
``last``: only the newest so many of those that are there now. Games are read a few at a time, so a
run may go on meanwhile. Raises ValueError naming file and game where there is no store or it is
damaged, OSError where it cannot be opened.)";

constexpr const char* kPgnDoc = R"(The finished games of a PGN file, as a list of Game.

``rules``: the rule set of games that name none. A move that was played is its ply's policy, and the
outcome its value. Raises ValueError naming file, game and place of the first that cannot be read.)";

// Reads a store a few games at a time; between reads it holds no lock on it.
class GameIterator {
 public:
  GameIterator(const fs::path& path, std::optional<int> generation,
               std::optional<std::int64_t> last)
      : store_(fs::is_directory(path) ? path / selfplay::kGamesFile : path,
               selfplay::StoreMode::kRead),
        left_{.last_id = store_.last_id(), .generation = generation, .last = last} {
    if (generation && *generation < 0) throw base::InputError("generation: expected 0 or more");
    if (last && *last < 0) throw base::InputError("last: expected 0 or more");
  }

  GameRecord next() {
    if (read_.empty()) read();
    if (read_.empty()) throw nb::stop_iteration();
    GameRecord game = std::move(read_.front());
    read_.pop_front();
    return game;
  }

 private:
  void read() {
    constexpr std::size_t kAtOnce = 64;
    std::deque<GameRecord> games;
    store_.visit(left_, [&games](GameRecord game) {
      games.push_back(std::move(game));
      return games.size() < kAtOnce;
    });
    read_ = std::move(games);
    if (read_.empty()) return;
    left_.first_id = read_.back().id + 1;
    if (left_.last) *left_.last -= static_cast<std::int64_t>(read_.size());
  }

  selfplay::GameStore store_;
  selfplay::GameRange left_;  // to be read
  std::deque<GameRecord> read_;
};

std::vector<GamePosition> positions_of(const GameRecord& game) {
  std::vector<GamePosition> positions{GamePosition(game.start())};
  positions.reserve(game.plies.size() + 1);
  for (const PlyRecord& ply : game.plies) {
    positions.push_back(positions.back());
    positions.back().push(ply.played);
  }
  return positions;
}

std::vector<std::string> moves_of(const GameRecord& game) {
  std::vector<std::string> moves;
  for (const PlyRecord& ply : game.plies) moves.push_back(rules::to_uci(ply.played));
  return moves;
}

std::map<std::string, float> policy_of(const PlyRecord& ply) {
  std::map<std::string, float> policy;
  for (const auto& [move, weight] : ply.policy) policy[rules::to_uci(move)] = weight;
  return policy;
}

std::string as_string(std::string_view text) { return std::string(text); }

void bind_ply(nb::module_& m) {
  nb::class_<PlyRecord> ply(m, "Ply", "One ply of a stored game, and what its search said.");
  ply.def_prop_ro(
      "move", [](const PlyRecord& self) { return rules::to_uci(self.played); },
      "What was played, in UCI, or the card that came.");
  ply.def_prop_ro(
      "policy", policy_of,
      "The search's target: weights of moves in UCI, sum 1; empty where none is stored.");
  ply.def_ro("value", &PlyRecord::root_value_stm,
             "The search's value of the position for the side to move, in [-1, 1].");
  ply.def_ro("outcomes", &PlyRecord::root_outcomes_white,
             "The search's probabilities of OUTCOMES; all 0 where none are stored.");
  ply.def_ro("is_target", &PlyRecord::is_target,
             "Whether it was a full search, whose policy is learned from.");
  ply.def("__repr__",
          [](const PlyRecord& self) { return "Ply('" + rules::to_uci(self.played) + "')"; });
}

void add_facts(nb::class_<GameRecord>& game) {
  game.def_ro("id", &GameRecord::id, "Its number in the store.");
  game.def_ro("generation", &GameRecord::generation, "The run's generation that played it.");
  game.def_ro("seed", &GameRecord::seed, "The number of its random stream.");
  game.def_ro("rules", &GameRecord::rules, "The RuleSet.");
  game.def_ro("table", &GameRecord::table, "The ScoringTable that it was played for.");
  game.def_ro("start_fen", &GameRecord::start_fen, "Where it began, as FEN.");
  game.def_prop_ro("moves", moves_of, "Its moves, in UCI.");
  game.def_ro("plies", &GameRecord::plies, "The same, with what the searches said.");
  game.def_prop_ro(
      "outcome", [](const GameRecord& self) { return as_string(rules::name(self.outcome)); },
      "How it ended: one of OUTCOMES.");
  game.def_prop_ro(
      "points", [](const GameRecord& self) { return self.table.white_points(self.outcome); },
      "White's points of ten for it, under its table.");
  game.def_prop_ro(
      "ended", [](const GameRecord& self) { return as_string(selfplay::name(self.ended)); },
      "By what: \"rules\", \"resignation\", \"fast_fifty\" or \"tablebase\".");
}

}  // namespace

void bind_games(nb::module_& m) {
  bind_ply(m);
  nb::class_<GameRecord> game(m, "Game", "A stored game.");
  add_facts(game);
  game.def("positions", positions_of,
           "Its positions, the start first: one more than there are plies.");
  game.def(
      "pgn", [](const GameRecord& self) { return rules::to_pgn(selfplay::pgn_game(self)); },
      "The game as PGN.");
  game.def("__repr__", [](const GameRecord& self) {
    return "Game(id=" + std::to_string(self.id) + ", plies=" + std::to_string(self.plies.size()) +
           ", outcome='" + as_string(rules::name(self.outcome)) + "')";
  });
  nb::class_<GameIterator> iterator(m, "GameIterator", "What games() returns.");
  iterator.def(
      "__iter__", [](nb::handle self) { return nb::borrow(self); },
      nb::sig("def __iter__(self) -> GameIterator"));
  iterator.def("__next__", &GameIterator::next);
  m.def(
      "games",
      [](const fs::path& path, std::optional<int> generation, std::optional<std::int64_t> last) {
        return std::make_unique<GameIterator>(path, generation, last);
      },
      "path"_a, "generation"_a = nb::none(), "last"_a = nb::none(), kGamesDoc);
  m.def(
      "read_pgn",
      [](const fs::path& path, const RulesArgument& rules) {
        const rules::RuleSet untagged = rule_set(rules);
        const nb::gil_scoped_release release;
        return selfplay::read_pgn(path, untagged);
      },
      "path"_a, "rules"_a = "chess_sharp", kPgnDoc);
}

}  // namespace python
