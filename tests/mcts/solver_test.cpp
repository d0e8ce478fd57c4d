// The solver against an independent and-or search.

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "tests/mcts/exact_search.h"
#include "tests/mcts/solver_problems.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

double points_of_mover(const Search& search) {
  return 5 * (1 + static_cast<double>(search.value_stm()));
}

bool ends_by_stalemate(const Position& position, rules::Move move) {
  const auto outcome = position.after(move).outcome({});
  return outcome == rules::Outcome::kWhiteStalemated || outcome == rules::Outcome::kBlackStalemated;
}

TEST(Solver, TheProblemsCoverWhatTheyShould) {
  int wins = 0, losses = 0, placements = 0, sought = 0, avoided = 0;
  for (const Problem& p : problems()) {
    wins += p.points == 10;
    losses += p.points == 0;
    sought += p.points == 8 || p.points == 2;
    ExactSearch judge({});
    bool by_placement = p.points == 10, trap = false;
    for (const rules::Move move : p.position.legal_moves()) {
      const Position next = p.position.after(move);
      const bool keeps = judge.forces(next, p.position.side_to_move(), p.points, p.plies - 1);
      if (keeps && !move.is_placement()) by_placement = false;
      if (!keeps && ends_by_stalemate(p.position, move)) trap = true;
    }
    placements += by_placement;
    avoided += trap;
  }
  EXPECT_GE(wins, 30);
  EXPECT_GE(losses, 8);
  EXPECT_GE(placements, 6);
  EXPECT_GE(sought, 8);
  EXPECT_GE(avoided, 6);
}

TEST(Solver, ProvesAndPlaysTheProblems) {
  HashEvaluator evaluator;
  for (const Problem& p : problems()) {
    const rules::Color mover = p.position.side_to_move();
    ExactSearch judge({});
    ASSERT_EQ(judge.points_of_mover(p.position, p.plies), p.points) << p.position.to_fen();
    Search search = make_search(p.position, solving());
    search.start({.nodes = 60000});
    run(search, evaluator);
    EXPECT_TRUE(search.proven()) << p.position.to_fen();
    EXPECT_FLOAT_EQ(static_cast<float>(points_of_mover(search)), static_cast<float>(p.points));
    const Position next = p.position.after(search.choose(0));
    int plies = p.plies - 1;  // proofs need not be the shortest
    while (!judge.forces(next, mover, p.points, plies) && plies <= p.plies + 3) plies += 2;
    EXPECT_LE(plies, p.plies + 3) << p.position.to_fen();
  }
}

// A few men on the board, soon an impasse: every line ends within the plies left on the clock.
Position random_ending(base::Rng& rng, int plies_left) {
  for (;;) {
    std::string men = "Kk";
    for (const char man : {'Q', 'R', 'N', 'P', 'q', 'b', 'n', 'p'}) {
      if (rng.below(5) == 0) men += man;
    }
    std::string squares(64, '.'), hand;
    for (const char man : men) {
      const bool pawn = man == 'P' || man == 'p';
      if (!pawn && man != 'Q' && man != 'q' && rng.below(4) == 0) {
        hand += man;
        continue;
      }
      squares[pawn ? 8 + rng.below(48) : rng.below(64)] = man;
    }
    std::string fen;
    for (int rank = 7; rank >= 0; --rank) {
      for (int file = 0; file < 8; ++file) {
        const char man = squares[static_cast<std::size_t>(rank * 8 + file)];
        fen += man == '.' ? '1' : man;
      }
      if (rank > 0) fen += '/';
    }
    fen += "[" + hand + "] " + (rng.below(2) == 0 ? "w" : "b") + " - - " +
           std::to_string(100 - plies_left) + " 60";
    try {
      const Position position = Position::from_fen(fen);
      if (!position.outcome({}) && position.count_legal_moves() > 0) return position;
    } catch (const rules::RulesError&) {  // two men fell on one square, for example
    }
  }
}

TEST(Solver, IsNeverWrong) {
  rules::ScoringTable chess;
  chess.points_white = {0, 5, 5, 5, 5, 5, 10};
  rules::ScoringTable changed;
  changed.points_white = {0, 2.2, 3, 4.9, 7, 7.8, 10};
  base::Rng rng(17);
  HashEvaluator evaluator;
  int proven = 0;
  for (int i = 0; i < 80; ++i) {
    const rules::ScoringTable table = i % 3 == 0   ? chess
                                      : i % 3 == 1 ? changed
                                                   : rules::ScoringTable{};
    const Position position = random_ending(rng, 3);
    SearchConfig config = solving();
    config.gumbel = i % 5 == 0;
    config.scan_visits = i % 2 == 0 ? 16 : 0;
    Search search = make_search(position, config, table);
    search.start({.nodes = 6000});
    run(search, evaluator, 1 + i % 4);
    if (!search.proven()) continue;
    ++proven;
    // A pawn's move or a capture sets the clock back; what it proves then may take longer than the
    // judge looks.
    ExactSearch judge(table);
    const double points = points_of_mover(search);
    const rules::Color mover = position.side_to_move();
    constexpr double kRounding = 1e-4;
    EXPECT_FALSE(judge.forces(position, mover, points + kRounding, 5)) << position.to_fen();
    EXPECT_FALSE(judge.forces(position, ~mover, 10 - points + kRounding, 5)) << position.to_fen();
  }
  EXPECT_GT(proven, 30);
}

TEST(Solver, OutcomesOfAProvenRootAreOne) {
  HashEvaluator evaluator;
  for (const Problem& p : problems()) {
    Search search = make_search(p.position, solving());
    search.start({.nodes = 60000});
    run(search, evaluator);
    if (!search.proven()) continue;
    const auto shares = search.outcomes();
    EXPECT_EQ(std::count(shares.begin(), shares.end(), 1.0f), 1);
    EXPECT_EQ(std::count(shares.begin(), shares.end(), 0.0f), 6);
    const auto moves = search.root_moves();
    EXPECT_EQ(moves[0].value_stm, search.value_stm());
    double sum = 0;
    for (const MoveWeight& w : search.policy_target().weights) sum += static_cast<double>(w.weight);
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

// The sums that the solver corrects stay true: shares that sum to 1, within the outcomes' prices.
TEST(Solver, KeepsTheMeansConsistent) {
  HashEvaluator evaluator;
  base::Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    const Position position = random_ending(rng, 2 + static_cast<int>(rng.below(20)));
    Search search = make_search(position, solving());
    search.start({.nodes = 50 + static_cast<std::uint64_t>(i) * 5});
    run(search, evaluator, 1 + i % 5);
    const auto check = [&](const std::array<float, rules::kOutcomes>& outcomes, float value_stm) {
      double sum = 0, points = 0;
      for (std::size_t k = 0; k < outcomes.size(); ++k) {
        EXPECT_GE(outcomes[k], -1e-6f);
        sum += static_cast<double>(outcomes[k]);
        points += static_cast<double>(outcomes[k]) * search.table().points_white[k];
      }
      EXPECT_NEAR(sum, 1, 1e-5) << position.to_fen();
      EXPECT_NEAR(rules::value_stm(points, position.side_to_move()), static_cast<double>(value_stm),
                  1e-5)
          << position.to_fen();
    };
    check(search.outcomes(), search.value_stm());
    for (const RootMove& m : search.root_moves()) {
      if (m.visits > 0) check(m.outcomes, m.value_stm);
    }
  }
}

// A node's value lies within its bounds, which are no wider than its moves' make them, and what it
// has summed up are shares of outcomes.
class BoundsAudit {
 public:
  explicit BoundsAudit(const Tree& tree) : tree_(tree) { visit(tree.root()); }
  int proven = 0, guaranteed = 0;

 private:
  void visit(const Node& node) {
    const Prices& prices = tree_.prices();
    int lower = 0;
    for (const Edge& edge : tree_.edges(node)) {
      lower = std::max<int>(lower, prices.seen_by(edge.bounds, node.side_to_move).lower);
      const Node* const below = tree_.child(edge);
      if (below != nullptr && below->visits > 0) visit(*below);
    }
    const Bounds mine = prices.seen_by(node.bounds, node.side_to_move);
    if (node.expanded()) {
      ASSERT_EQ(mine.lower, lower);
    }
    proven += mine.proven();
    guaranteed += !mine.proven() && mine.lower > 0;
    const float value = tree_.value_white(node);
    ASSERT_GE(value, prices.value_white(node.bounds.lower));
    ASSERT_LE(value, prices.value_white(node.bounds.upper));
    ASSERT_NEAR(std::accumulate(node.sums.terms.begin() + 1, node.sums.terms.end(), 0.0),
                node.visits, 1e-4 * node.visits);
  }

  const Tree& tree_;
};

TEST(Solver, ValuesLieWithinBounds) {
  HashEvaluator evaluator;
  base::Rng rng(7);
  int proven = 0, guaranteed = 0;
  for (int i = 0; i < 400; ++i) {
    SearchConfig config = solving();
    config.gumbel = i % 2 == 0;
    Tree tree(config, random_ending(rng, 2 + static_cast<int>(rng.below(20))), {});
    search(tree, evaluator, 400, 1 + i % 9);
    const BoundsAudit audit(tree);
    proven += audit.proven;
    guaranteed += audit.guaranteed;
  }
  EXPECT_GT(proven, 100);
  EXPECT_GT(guaranteed, 100);
}

// Though it has most of the visits, and others none.
TEST(Solver, AProvenLossIsNotPlayedWhileAnotherMoveIsOpen) {
  HashEvaluator evaluator;
  SearchConfig config = solving();
  config.scan_visits = 0;  // so that losses are found by visits
  base::Rng rng(11);
  int losses = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Position position = random_ending(rng, 10 + static_cast<int>(rng.below(40)));
    Search search = make_search(position, config, {}, seed);
    search.start({.nodes = 20 + seed % 300});
    run(search, evaluator);
    if (search.proven()) continue;
    const auto moves = search.root_moves();
    const auto lost = [](const RootMove& m) {
      return m.visits > 0 && m.proven && m.value_stm == -1;
    };
    losses += std::ranges::any_of(moves, lost) ? 1 : 0;
    EXPECT_FALSE(lost(moves.front())) << position.to_fen();
    const auto drawn = std::ranges::find(moves, search.choose(1), &RootMove::move);
    EXPECT_FALSE(lost(*drawn)) << position.to_fen();
  }
  EXPECT_GT(losses, 5);
}

// What was proven and then forgotten is found again once it is played.
TEST(Solver, AProvenNodeThatWasRecycledHasItsMovesAgain) {
  HashEvaluator evaluator;
  SearchConfig config = solving();
  config.max_tree_mib = 1;
  config.scan_visits = 0;  // so that the proof is in nodes
  const Position position = Position::from_fen("6k1/5ppp/1p6/8/8/1P6/8/R3K2R[Nn] b - - 0 30");
  Tree tree(config, position, {});
  search(tree, evaluator, 200000);
  std::vector<rules::Move> lost;  // by a mate on the back row
  for (std::size_t k = 0; k < tree.root().edge_count; ++k) {
    const Node* const below = tree.child(tree.edges(tree.root())[k]);
    if (below == nullptr || !below->bounds.proven() || below->expanded()) continue;
    lost.push_back(tree.moves(tree.root())[k]);
  }
  ASSERT_FALSE(lost.empty());
  tree.advance(lost.front(), true);
  search(tree, evaluator, 3000);
  EXPECT_TRUE(tree.root().expanded());
  EXPECT_EQ(tree.prices().value_white(tree.root().bounds.lower), 1);
}

}  // namespace
}  // namespace mcts
