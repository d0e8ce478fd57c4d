// Chance in the tree: cards come by the numbers left in the deck, and nobody chooses them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mcts/evaluation_cache.h"
#include "rules/notation.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Color;
using rules::kRaindrop;
using rules::Move;
using rules::Position;
using rules::ScoringTable;

Position from(const std::string& fen) { return Position::from_fen(fen, kRaindrop); }

// White's exact expectation by every move and every card.
double expected_white(const Position& position, const ScoringTable& table) {
  if (const auto outcome = position.outcome(table)) return table.white_points(*outcome);
  const bool white = position.side_to_move() == Color::kWhite;
  double best = white ? -1 : 11, sum = 0;
  for (const Move move : position.legal_moves()) {
    const double value = expected_white(position.after(move), table);
    best = white ? std::max(best, value) : std::min(best, value);
    if (position.is_chance()) sum += position.card_chance(move) * value;
  }
  return position.is_chance() ? sum : best;
}

constexpr const char* kMiddle = "8/6k1/8/8/8/8/1K6/8[QRRPPPPPNqrrp][QRBNqrbn] w - - 3 20";

// The clock ends these games before a capture could let them go on.
const std::vector<std::string> kEndings{
    "k7/8/1K6/8/8/8/8/8[RPp][QRBNqrbn] w - - 99 90",
    "7k/8/8/8/8/8/6r1/K7[NPPn][QRBNqrbn] w - - 99 90",
    "8/5k2/8/8/3q4/8/8/K7[RLDP][QRBNrbn] w - - 99 90",
    "8/8/8/8/8/1k6/8/K7[ql][QRBNqrbn] b?R - - 99 90",
    "k7/2K5/8/8/8/8/8/8[nnq][QRBNqrbn] w - - 98 90",
    "k6n/8/1K6/8/8/8/8/8[RPPP][QRBNqrbn] b - - 98 90",
    "k6n/8/1K6/8/8/8/8/8[RPPPPPP][QRBNqrbn] b - - 98 90",
    "k7/8/1K6/8/8/8/8/8[R][QRBNqrbn] w - - 97 90",
};

TEST(Chance, ExpectationsAreExactWhereAllCanBeEnumerated) {
  for (const std::string& fen : kEndings) {
    const Position root = from(fen);
    for (const bool gumbel : {false, true}) {
      const ScoringTable table;  // graded: expectations lie between the outcomes
      SearchConfig config = solving();
      config.gumbel = gumbel;
      HashEvaluator evaluator;
      Search search = make_search(root, config, table);
      search.start({.nodes = 400000, .explore = gumbel});
      run(search, evaluator, 4);
      EXPECT_TRUE(search.proven()) << root.to_fen();
      const double white =
          rules::points_white(static_cast<double>(search.value_stm()), root.side_to_move());
      EXPECT_NEAR(white, expected_white(root, table), 1e-4) << root.to_fen();
      EXPECT_NEAR(table.white_points(search.outcomes()), white, 1e-3) << root.to_fen();
      // The move that it plays is one of the best.
      const Position next = root.after(search.choose(0));
      EXPECT_NEAR(expected_white(next, table), white, 1e-4) << root.to_fen();
    }
  }
}

// The node behind the root's move; null where it was not walked.
const Node* behind(const Tree& tree, Move move) {
  const Node& root = tree.root();
  for (std::size_t i = 0; i < root.edge_count; ++i) {
    if (tree.moves(root)[i] == move) return tree.child(tree.edges(root)[i]);
  }
  return nullptr;
}

TEST(Chance, VisitsAreSpreadByProbabilityAndTheMeanIsWeightedByIt) {
  Tree tree(without_solver(), from(kMiddle), kRaindrop.table());
  HashEvaluator evaluator;
  search(tree, evaluator, 20000);
  const Node* const chance = behind(tree, Move::draw());
  ASSERT_NE(chance, nullptr);
  EXPECT_TRUE(chance->chance);
  EXPECT_EQ(chance->edge_count, 4);
  EXPECT_GT(chance->visits, 50u);
  double mean = 0;
  for (std::size_t i = 0; i < chance->edge_count; ++i) {
    const Edge& card = tree.edges(*chance)[i];
    const double share = static_cast<double>(tree.priors(*chance)[i]);
    EXPECT_NEAR(card.visits, share * chance->visits, 2);
    EXPECT_EQ(tree.child(card)->side_to_move, Color::kWhite);
    mean += share * static_cast<double>(card.value_white);
  }
  EXPECT_NEAR(tree.value_white(*chance), mean, 1e-5);
}

// White draws, gets the card, places it: three plies of one side, through which a value keeps its
// sign.
TEST(Chance, AsksWhoseTurnItIs) {
  const Position root = from("r6k/8/8/8/8/8/1P6/K7[R][QRBN] w - - 0 9");
  Tree tree(without_solver(), root, kRaindrop.table());
  class White final : public Evaluator {  // always nearly wins
    void evaluate(LeafBatch& batch) override {
      batch.priors.assign(batch.moves.size(), 0);
      for (Leaf& leaf : batch.leaves) {
        leaf.evaluation.outcomes = rules::certain(rules::Outcome::kWhiteWins);
        const bool white = leaf.position.side_to_move() == Color::kWhite;
        leaf.evaluation.value_stm = white ? 0.9f : -0.9f;
        for (float& p : batch.priors_of(leaf)) p = 1.0f / static_cast<float>(leaf.move_count);
      }
    }
  } evaluator;
  search(tree, evaluator, 300);
  EXPECT_GT(tree.value_white(tree.root()), 0.85f);
  EXPECT_GT(tree.value_white(*behind(tree, Move::draw())), 0.85f);
}

TEST(Chance, ASearchGoesOnBehindTheCardThatCame) {
  HashEvaluator evaluator;
  for (const bool gumbel : {false, true}) {
    SearchConfig config = solving();
    config.gumbel = gumbel;
    Search search = make_search(from(kMiddle), config, kRaindrop.table());
    search.start({.nodes = 2000, .explore = gumbel});
    run(search, evaluator);
    search.advance(Move::draw());
    EXPECT_TRUE(search.root().is_chance());
    const int before = search.visits();
    EXPECT_GT(before, 10);
    search.advance(Move::card(rules::Card::kPawn));  // five of nine
    EXPECT_NEAR(search.visits(), before * 5 / 9, 2);
    search.start({.nodes = 3000, .explore = gumbel});
    run(search, evaluator);
    EXPECT_TRUE(search.root().is_legal(search.choose(0)));
    EXPECT_FALSE(search.policy_target().weights.empty());
  }
}

TEST(Chance, TheCacheTellsDecksApart) {
  EvaluationCache cache(1);
  const ScoringTable table;
  LeafBatch batch;
  const Position known = from("7k/8/8/8/8/8/8/K7[RP][QRBN] w - - 0 9");
  batch.add(known, table, known.legal_moves());
  HashEvaluator().evaluate(batch);
  cache.store(batch.leaves[0], batch.priors_of(batch.leaves[0]));
  EXPECT_TRUE(cache.find(known, 1, table));
  EXPECT_FALSE(cache.find(from("7k/8/8/8/8/8/8/K7[RPP][QRBN] w - - 0 9"), 1, table));
  EXPECT_FALSE(cache.find(from("7k/8/8/8/8/8/8/K7[RP][QRB] w - - 0 9"), 1, table));
}

TEST(Chance, MemoryThatIsRecycledChangesNoLegalMove) {
  SearchConfig config = solving();
  config.max_tree_mib = 1;
  HashEvaluator evaluator;
  Search search = make_search(from(kMiddle), config, kRaindrop.table());
  search.start({.nodes = 30000});
  run(search, evaluator, 8);
  EXPECT_EQ(search.visits(), 30000);
  EXPECT_TRUE(search.root().is_legal(search.choose(0)));
  EXPECT_LE(search.tree().used_bytes(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace mcts
