// What engines say where a position comes for the third time.

#include <gtest/gtest.h>

#include <string>

#include "engine/alphabeta_engine.h"
#include "engine/tree_engine.h"
#include "mcts/evaluator.h"
#include "tests/mcts/repeating_game.h"
#include "tests/tactics/random_nnue.h"

namespace engine {
namespace {

using namespace mcts;

using rules::History;
using rules::kChess;
using rules::Position;

// The best move of the position behind the game, by a search that has been somewhere else before.
std::string best_of(Engine& engine, const Game& game) {
  rules::Move best;
  engine.set_position(game.position, kChess.table(), game.past());
  engine.start({.nodes = 300},
               [&best](const tactics::SearchReport& report) { best = report.moves.front().move; });
  engine.wait();
  EXPECT_TRUE(game.position.is_legal(best)) << game.position.to_fen();
  return rules::to_uci(best);
}

// Nobody has claimed it: the moves behind it still end by the same count.
TEST(Repetition, OfTheRootEndsNoSearch) {
  TreeEngine tree({}, [] { return std::make_unique<HashEvaluator>(); });
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

TEST(Repetition, ASearchOfTheSamePositionInAnotherGameBeginsAnew) {
  const Game game = to_and_fro();
  TreeEngine tree_engine({}, [] { return std::make_unique<HashEvaluator>(); });
  const auto report_of = [&](const History& past) {
    tactics::SearchReport last;
    tree_engine.set_position(game.position, kChess.table(), past);
    tree_engine.start({.nodes = 100},
                      [&last](const tactics::SearchReport& report) { last = report; });
    tree_engine.wait();
    return last;
  };
  EXPECT_EQ(report_of({}).nodes, 100u);
  const tactics::SearchReport with = report_of(game.past());
  bool proven = false;
  for (const RootMove& move : with.moves) {
    if (rules::to_uci(move.move) == "d8e8") proven = move.proven && move.value_stm == 0;
  }
  EXPECT_TRUE(proven);
}

}  // namespace
}  // namespace engine
