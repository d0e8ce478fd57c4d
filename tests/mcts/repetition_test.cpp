// A position that comes for the third time, in the game and on the way through the tree.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mcts/tree.h"
#include "rules/history.h"
#include "rules/notation.h"
#include "tests/mcts/repeating_game.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::History;
using rules::kChess;
using rules::Position;

RootMove searched(const Game& game, const History& past) {
  HashEvaluator evaluator;
  Search search({}, game.position, kChess.table(), base::Rng(1), past);
  search.start({.nodes = 200});
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

}  // namespace
}  // namespace mcts
