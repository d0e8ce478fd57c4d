// A position that comes for the third time, in the game and on the way through the tree.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mcts/alphabeta_engine.h"
#include "mcts/analysis.h"
#include "mcts/tree.h"
#include "rules/history.h"
#include "rules/notation.h"
#include "tests/mcts/support.h"
#include "tests/tactics/random_nnue.h"

namespace mcts {
namespace {

using rules::History;
using rules::kChess;
using rules::Position;

// A game of chess under way.
struct Game {
  explicit Game(const char* fen) : start(Position::from_fen(fen, kChess)), position(start) {}

  void play(rules::Move move) {
    moves.push_back(move);
    position.play(move);
  }
  void play(const std::vector<std::string>& line) {
    for (const std::string& move : line) play(rules::parse_uci(position, move));
  }
  History past() const { return History(start, moves); }

  Position start, position;
  std::vector<rules::Move> moves;
};

// White's rook and Black's king have gone to and fro: Kd8-e8 brings the start for the third time.
Game to_and_fro() {
  Game game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
  game.play({"a1a2", "e8d8", "a2a1", "d8e8", "a1a2", "e8d8", "a2a1"});
  return game;
}

RootMove searched(const Game& game, const History& past) {
  HashEvaluator evaluator;
  Search search({}, game.position, kChess.table(), base::Rng(1), past);
  search.start({.simulations = 200});
  run(search, evaluator);
  for (const RootMove& move : search.root_moves()) {
    if (rules::to_uci(move.move) == "d8e8") return move;
  }
  return {};
}

TEST(Repetition, InTheGameEndsIt) {
  const Game game = to_and_fro();
  const RootMove with = searched(game, game.past());
  EXPECT_TRUE(with.proven);
  EXPECT_EQ(with.value_stm, 0);
  EXPECT_EQ(with.outcomes[rules::index(rules::Outcome::kImpasseWhiteMore)], 1);
  EXPECT_FALSE(searched(game, {}).proven);
}

// The best move of the position behind the game, by a search that has been somewhere else before.
std::string best_of(Engine& engine, const Game& game) {
  rules::Move best;
  engine.set_position(game.position, kChess.table(), game.past());
  engine.start({.nodes = 300},
               [&best](const AnalysisReport& report) { best = report.moves.front().move; });
  engine.wait();
  EXPECT_TRUE(game.position.is_legal(best)) << game.position.to_fen();
  return rules::to_uci(best);
}

// Nobody has claimed it: the moves behind it still end by the same count.
TEST(Repetition, OfTheRootEndsNoSearch) {
  Analysis tree({}, [] { return std::make_unique<HashEvaluator>(); });
  AlphaBetaEngine alpha_beta(tactics::random_nnue(1), {.threads = 1, .hash_mib = 4});
  for (Engine* engine : {static_cast<Engine*>(&tree), static_cast<Engine*>(&alpha_beta)}) {
    Game game = to_and_fro();
    best_of(*engine, game);
    game.play({"d8e8"});
    best_of(*engine, game);
    game.play({"a1a2", "e8d8"});
    best_of(*engine, game);
    Game clock("k7/8/1K6/8/8/8/8/7R w - - 120 90");
    EXPECT_EQ(best_of(*engine, clock), "h1h8") << "the mate comes before the clock";
    clock.play({"h1g1"});
    best_of(*engine, clock);
    const Game dead("8/8/4k3/8/8/3K4/8/8 w - - 3 90");
    EXPECT_THROW(engine->set_position(dead.position, kChess.table(), {}), std::invalid_argument);
  }
}

// Compares every edge of a tree with what the rules say of the game that leads there, counting
// occurrences one by one.
class Audit {
 public:
  Audit(const Tree& tree, const Game& game) : tree_(tree) {
    Position position = game.start;
    for (const rules::Move move : game.moves) {
      line_.push_back(position);
      position.play(move);
    }
    visit(tree.root(), position);
  }
  int repetitions = 0;  // that end the game where nothing else does
  int nodes = 0;

 private:
  void visit(const Node& node, const Position& position) {
    ++nodes;
    line_.push_back(position);
    const auto edges = tree_.edges(node);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Position next = position.after(tree_.moves(node)[i]);
      int occurrences = 1;
      for (const Position& earlier : line_) occurrences += earlier.recurs_as(next);
      const auto outcome = next.outcome(tree_.table(), occurrences);
      if (outcome && !next.outcome(tree_.table())) ++repetitions;
      if (edges[i].is_end()) {
        ASSERT_EQ(edges[i].end().outcome, outcome) << next.to_fen();
      } else if (tree_.child(edges[i]) != nullptr) {
        ASSERT_FALSE(outcome) << next.to_fen();
        visit(*tree_.child(edges[i]), next);
      }
    }
    line_.pop_back();
  }

  const Tree& tree_;
  std::vector<Position> line_;
};

TEST(Repetition, EveryEndInTheTreeIsOneOfTheGameThatLeadsThere) {
  for (const bool solver : {true, false}) {
    Game game("4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1");  // neither pawn can ever move
    game.play({"e1e2", "e8e7", "e2e1", "e7e8"});
    SearchConfig config = without_solver();
    config.solver = solver;
    config.scan_visits = 3;
    Tree tree(config, game.position, kChess.table(), game.past());
    for (const char* move : {"e1e2", "e8e7", "e2e1"}) {
      HashEvaluator evaluator;
      search(tree, evaluator, 6000);
      const Audit audit(tree, game);
      EXPECT_GT(audit.nodes, 1000);
      EXPECT_GT(audit.repetitions, 10);
      game.play({move});
      tree.advance(game.moves.back(), true);
    }
    EXPECT_EQ(tree.past(), game.past());
  }
}

TEST(Repetition, AnAnalysisOfTheSamePositionInAnotherGameBeginsAnew) {
  const Game game = to_and_fro();
  AnalysisOptions options;
  Analysis analysis(options, [] { return std::make_unique<HashEvaluator>(); });
  const auto report_of = [&](const History& past) {
    AnalysisReport last;
    analysis.set_position(game.position, kChess.table(), past);
    analysis.start({.nodes = 100}, [&last](const AnalysisReport& report) { last = report; });
    analysis.wait();
    return last;
  };
  EXPECT_EQ(report_of({}).nodes, 100u);
  const AnalysisReport with = report_of(game.past());
  bool proven = false;
  for (const RootMove& move : with.moves) {
    if (rules::to_uci(move.move) == "d8e8") proven = move.proven && move.value_stm == 0;
  }
  EXPECT_TRUE(proven);
}

}  // namespace
}  // namespace mcts
