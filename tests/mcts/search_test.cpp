#include "mcts/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <stdexcept>

#include "rules/notation.h"
#include "tactics/checks.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

TEST(Search, VisitsTheRootAsOftenAsAsked) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  search.start({.nodes = 200});
  run(search, evaluator);
  EXPECT_EQ(search.visits(), 200);
  const auto moves = search.root_moves();
  const int sum = std::accumulate(moves.begin(), moves.end(), 0,
                                  [](int n, const RootMove& m) { return n + m.visits; });
  EXPECT_EQ(sum, 199);  // the first visit is the root's own
}

TEST(Search, ReportsEveryLegalMoveBestFirst) {
  HashEvaluator evaluator;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Position position = random_position(seed, 40);
    if (position.outcome({})) continue;
    Search search = make_search(position);
    search.start({.nodes = 64});
    run(search, evaluator);
    const auto moves = search.root_moves();
    EXPECT_EQ(moves.size(), position.legal_moves().size()) << position.to_fen();
    EXPECT_EQ(moves.front().move, search.choose(0)) << position.to_fen();
  }
}

// A move that was tried and found bad is no part of what the position is worth.
TEST(Search, TargetValueIsThatOfTheMovesItTeaches) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.gumbel = true;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Search search = make_search(random_position(seed, 12), config, {}, seed);
    search.start({.nodes = 65, .explore = true});
    run(search, evaluator);
    const PolicyTarget target = search.policy_target();
    double value = 0, mass = 0;
    for (const RootMove& m : search.root_moves()) {
      for (const MoveWeight& w : target.weights) {
        if (w.move != m.move || m.visits == 0) continue;
        value += static_cast<double>(w.weight * m.value_stm);
        mass += static_cast<double>(w.weight);
      }
    }
    EXPECT_NEAR(static_cast<double>(target.value_stm), value / mass, 1e-3);
    EXPECT_GT(target.value_stm, search.value_stm());
  }
}

TEST(Search, TargetSumsToOneAndValueAgreesWithOutcomes) {
  HashEvaluator evaluator;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Position position = random_position(seed, 30);
    if (position.outcome({})) continue;
    Search search = make_search(position);
    search.start({.nodes = 100, .explore = true});
    run(search, evaluator);
    const PolicyTarget target = search.policy_target();
    double sum = 0;
    for (const MoveWeight& w : target.weights) {
      EXPECT_GT(w.weight, 0);
      sum += static_cast<double>(w.weight);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    double points = 0;
    for (std::size_t i = 0; i < target.outcomes.size(); ++i) {
      points += static_cast<double>(target.outcomes[i]) * search.table().points_white[i];
    }
    EXPECT_NEAR(rules::value_stm(points, position.side_to_move()),
                static_cast<double>(target.value_stm), 1e-4);
  }
}

TEST(Search, KeepsTheSubtreeOfTheMovePlayed) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  search.start({.nodes = 300});
  run(search, evaluator);
  const RootMove best = search.root_moves().front();
  search.advance(best.move);
  EXPECT_EQ(search.root(), Position::start().after(best.move));
  EXPECT_EQ(search.visits(), best.visits);
  EXPECT_FLOAT_EQ(search.value_stm(), -best.value_stm);
  search.start({.nodes = 300});
  run(search, evaluator);
  EXPECT_EQ(search.visits(), 300);
}

TEST(Search, PlaysWholeGamesWithNoise) {
  HashEvaluator evaluator;
  for (const bool gumbel : {false, true}) {
    SearchConfig config = without_solver();
    config.gumbel = gumbel;
    Search search = make_search(Position::start(), config);
    for (int ply = 0; ply < 400; ++ply) {
      search.start({.nodes = 24, .explore = true});
      run(search, evaluator, 4);
      const rules::Move move = search.choose(1);
      ASSERT_TRUE(search.root().is_legal(move));
      if (search.root().after(move).outcome(search.table())) break;
      search.advance(move);
    }
    EXPECT_GT(search.root().fullmove_number(), 3);
  }
}

TEST(Search, SameSeedSameTree) {
  HashEvaluator evaluator;
  for (const bool gumbel : {false, true}) {
    SearchConfig config = without_solver();
    config.gumbel = gumbel;
    std::vector<int> visits[2];
    for (auto& v : visits) {
      Search search = make_search(Position::start(), config, {}, 7);
      search.start({.nodes = 200, .explore = true});
      run(search, evaluator);
      for (const RootMove& m : search.root_moves()) v.push_back(m.visits);
    }
    EXPECT_EQ(visits[0], visits[1]);
  }
}

TEST(Search, TakesTheKingWithoutAsking) {
  const Position position = Position::from_fen("k6R/8/8/8/8/8/8/K7[Qq] w - - 0 60");
  Search search = make_search(position);
  search.start({.nodes = 100});
  EXPECT_TRUE(search.done());
  LeafBatch batch;
  EXPECT_EQ(search.collect(4, batch), 0);
  EXPECT_FLOAT_EQ(search.value_stm(), 1);
  const rules::Move taking = search.choose(0);
  EXPECT_EQ(position.after(taking).outcome({}), rules::Outcome::kWhiteWins);
  EXPECT_EQ(search.choose(1), taking);
  const PolicyTarget target = search.policy_target();
  ASSERT_EQ(target.weights.size(), 1u);
  EXPECT_EQ(target.weights[0].move, taking);
  EXPECT_EQ(search.root_moves().size(), position.legal_moves().size());
  EXPECT_TRUE(search.root_moves()[0].proven);
}

TEST(Search, TellsEveryLeafHowFarToLook) {
  SearchConfig config = without_solver();
  config.lookahead = 2;
  Search search = make_search(rules::Position::start(), config);
  search.start({.nodes = 8});
  LeafBatch batch;
  ASSERT_EQ(search.collect(1, batch), 1);
  EXPECT_EQ(batch.leaves[0].lookahead, 2);
}

// Hopes for the mover whatever happens, and for one move of the root above all.
class Hopeful final : public Evaluator {
 public:
  explicit Hopeful(rules::Move favourite) : favourite_(favourite) {}
  void evaluate(LeafBatch& batch) override {
    UniformEvaluator().evaluate(batch);
    for (Leaf& leaf : batch.leaves) {
      leaf.evaluation.value_stm =
          leaf.position.side_to_move() == rules::Color::kBlack ? 0.9f : -0.9f;
      const auto moves = batch.moves_of(leaf);
      for (std::size_t i = 0; i < moves.size(); ++i) {
        float& prior = batch.priors_of(leaf)[i];
        prior = prior / 2 + (moves[i] == favourite_ ? 0.5f : 0);
      }
    }
  }

 private:
  rules::Move favourite_;
};

// After d4e3, or nearly any move, the queen takes the king by Qe8: the knight c7 must not leave the
// bishop's line.
constexpr const char* kMateThreat = "1q1k1n1b/2np3r/p2N1p2/B4N2/3pQ3/4P1K1/1p3P1p/1R6[] b - - 1 97";

// With no move walked yet nothing is known but what the evaluator says, whatever moves are proven
// to lose.
TEST(Search, AfterOneVisitTheTargetIsTheEvaluation) {
  const auto position = rules::Position::from_fen(kMateThreat);
  Search search = make_search(position);
  search.start({.nodes = 1});
  HashEvaluator evaluator;
  run(search, evaluator);
  ASSERT_EQ(search.visits(), 1);
  EXPECT_EQ(search.policy_target().outcomes, search.outcomes());
  EXPECT_NEAR(search.policy_target().value_stm, search.value_stm(), 1e-6);
}

TEST(Search, TheRootSeesMatesAtOnce) {
  const auto position = rules::Position::from_fen(kMateThreat);
  Search search = make_search(position, solving());
  search.start({.nodes = 2});
  Hopeful evaluator(rules::parse_uci(position, "d4e3"));
  run(search, evaluator);
  EXPECT_FALSE(tactics::has_mate_in_one(position.after(search.choose(0))))
      << rules::to_uci(search.choose(0));
  int lost = 0;
  for (const RootMove& m : search.root_moves()) {
    const auto next = position.after(m.move);
    if (next.can_capture_king()) continue;
    EXPECT_EQ(m.proven && m.value_stm < 0, tactics::has_mate_in_one(next)) << rules::to_uci(m.move);
    lost += m.proven ? 1 : 0;
  }
  EXPECT_GT(lost, 10);
}

// Where the king is taken, the lost side has a move between the mate and that.
TEST(Search, AMateAtOnceEndsTheGameSoonerWhereKingsAreKeptSafe) {
  const auto plies_to_the_end = [](const Position& position, const char* blunder) {
    Search search = make_search(position, solving(), position.rule_set().table());
    search.start({.nodes = 2});
    HashEvaluator evaluator;
    run(search, evaluator);
    for (const RootMove& m : search.root_moves()) {
      if (m.move == rules::parse_uci(position, blunder) && m.proven) return m.moves_left;
    }
    return 0.0f;
  };
  const auto fools_mate = Position::from_fen(
      "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", rules::kChess);
  EXPECT_EQ(plies_to_the_end(fools_mate, "g2g4"), 2);
  EXPECT_EQ(plies_to_the_end(Position::from_fen(kMateThreat), "d4e3"), 4);
}

TEST(Search, ARootThatWasKeptSeesMatesAtOnceToo) {
  HashEvaluator evaluator;
  int kept = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    Position position = random_position(seed, 60);
    if (position.outcome({}) || position.can_capture_king()) continue;
    Search search = make_search(position, solving());
    search.start({.nodes = 400});
    run(search, evaluator);
    const rules::Move move = search.choose(0);
    position.play(move);
    if (position.outcome({}) || position.can_capture_king()) continue;
    search.advance(move);
    const int before = search.visits();
    search.start({.nodes = static_cast<std::uint64_t>(before) + 1});
    if (search.done()) continue;
    kept += before >= 16 ? 1 : 0;
    for (const RootMove& m : search.root_moves()) {
      const Position next = position.after(m.move);
      if (m.visits > 0 || next.outcome({}) || next.can_capture_king()) continue;
      EXPECT_EQ(m.proven && m.value_stm < 0, tactics::has_mate_in_one(next)) << next.to_fen();
      lost += before >= 16 && m.proven ? 1 : 0;
    }
  }
  EXPECT_GT(kept, 50);
  EXPECT_GT(lost, 3);
}

TEST(MaterialEvaluator, TakesWhatHangsAndSaysSo) {
  for (const char* fen :
       {"4k3/8/3q4/8/8/8/3R4/4K3[] w - - 0 30", "4k3/3r4/8/8/8/3Q4/8/4K3[] b - - 0 30"}) {
    const auto position = Position::from_fen(fen);
    Search search = make_search(position);
    MaterialEvaluator evaluator;
    search.start({.nodes = 100});
    run(search, evaluator);
    const rules::Move chosen = search.choose(0);
    EXPECT_EQ(index(chosen.to()), position.side_to_move() == rules::Color::kWhite ? 43 : 19) << fen;
    EXPECT_GT(search.value_stm(), 0.2) << fen;
  }
}

TEST(Search, KnowsWhenEveryMoveLoses) {
  // Black is attacked and cannot get out of it.
  const Position lost = Position::from_fen("k6R/6R1/8/8/8/8/8/K7[] b - - 0 60");
  Search dead = make_search(lost);
  dead.start({.nodes = 100});
  EXPECT_TRUE(dead.done());
  EXPECT_FLOAT_EQ(dead.value_stm(), -1);
  EXPECT_TRUE(lost.is_legal(dead.choose(0)));
  EXPECT_TRUE(lost.is_legal(dead.choose(1)));
  EXPECT_EQ(dead.root_moves().size(), lost.legal_moves().size());
  EXPECT_FALSE(dead.policy_target().weights.empty());
}

TEST(Search, NeverChoosesAMoveThatLosesTheKingAtOnce) {
  HashEvaluator evaluator;
  int dangerous = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Position position = random_position(seed, 60);
    if (position.can_capture_king()) continue;
    rules::MoveList survivors;
    position.surviving_moves(survivors);
    if (survivors.empty() || survivors.size() == position.legal_moves().size()) continue;
    ++dangerous;
    Search search = make_search(position, {}, {}, seed);
    search.start({.nodes = 8, .explore = true});
    run(search, evaluator);
    for (int i = 0; i < 20; ++i) {
      const rules::Move move = search.choose(10);
      EXPECT_NE(std::find(survivors.begin(), survivors.end(), move), survivors.end());
    }
  }
  EXPECT_GT(dangerous, 20);
}

TEST(Search, OneSurvivingMoveNeedsOneVisit) {
  HashEvaluator evaluator;
  int found = 0;
  for (std::uint64_t seed = 0; seed < 20000 && found < 5; ++seed) {
    const Position position = random_position(seed, 30 + static_cast<int>(seed % 60));
    rules::MoveList survivors;
    position.surviving_moves(survivors);
    if (survivors.size() != 1 || position.can_capture_king()) continue;
    ++found;
    Search search = make_search(position);
    search.start({.nodes = 100});
    EXPECT_FALSE(search.done());
    run(search, evaluator);
    EXPECT_EQ(search.visits(), 1);
    EXPECT_EQ(search.choose(0), survivors[0]);
    EXPECT_NE(search.value_stm(), 0);
  }
  EXPECT_EQ(found, 5);
}

TEST(Search, RefusesAFinishedGame) {
  const Position over = Position::from_fen("k7/8/8/8/8/8/8/K7[] w - - 100 90");
  EXPECT_THROW(make_search(over), std::invalid_argument);
}

TEST(Search, ManyInFlightLoseNoVisitAndNoLeaf) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  search.start({.nodes = 500});
  LeafBatch one;
  ASSERT_EQ(search.collect(16, one), 1);  // the root alone
  LeafBatch none;
  EXPECT_EQ(search.collect(16, none), 0);
  evaluator.evaluate(one);
  search.apply(one, 0, 1);
  std::size_t leaves = 0;
  while (!search.done()) {
    LeafBatch first, second;  // two batches under way at a time, the second answered first
    search.collect(16, first);
    search.collect(16, second);
    ASSERT_GT(first.leaves.size(), 0u);
    evaluator.evaluate(first);
    evaluator.evaluate(second);
    search.apply(second, 0, second.leaves.size());
    search.apply(first, 0, first.leaves.size());
    leaves += first.leaves.size() + second.leaves.size();
  }
  EXPECT_EQ(search.visits(), 500);
  EXPECT_LE(leaves, 499u);
  int sum = 1;
  for (const RootMove& m : search.root_moves()) sum += m.visits;
  EXPECT_EQ(sum, 500);
}

TEST(Search, NoiseChangesTheSearchButNotThePriorsTold) {
  HashEvaluator evaluator;
  const auto searched = [&](bool explore) {
    Search search = make_search(Position::start());
    search.start({.nodes = 300, .explore = explore});
    run(search, evaluator);
    return search.root_moves();
  };
  const auto quiet = searched(false);
  const auto noisy = searched(true);
  int changed = 0;
  for (const RootMove& m : quiet) {
    const auto other = std::find_if(noisy.begin(), noisy.end(),
                                    [&](const RootMove& n) { return n.move == m.move; });
    ASSERT_NE(other, noisy.end());
    EXPECT_EQ(other->prior, m.prior);
    changed += other->visits != m.visits;
  }
  EXPECT_GT(changed, 5);
}

TEST(Search, NoiseEndsWithTheSearchThatAskedForIt) {
  HashEvaluator evaluator;
  Search search = make_search(Position::start());
  search.start({.nodes = 2, .explore = true});
  run(search, evaluator);
  search.start({.nodes = 300});
  run(search, evaluator);
  Search quiet = make_search(Position::start());
  quiet.start({.nodes = 2});
  run(quiet, evaluator);
  quiet.start({.nodes = 300});
  run(quiet, evaluator);
  int differing = 0;
  for (const RootMove& m : quiet.root_moves()) {
    differing += std::abs(m.visits - visits_of(search.root_moves(), m.move)) > 3;
  }
  EXPECT_LE(differing, 1);  // only the second visit was drawn by the noise
}

// Forced playouts: every move once visited gets sqrt(k * prior * visits); the target takes back
// what they added.
TEST(Search, ForcedPlayoutsAreMadeAndTakenOutOfTheTarget) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.noise_fraction = 0;
  config.forced_playouts = 2;
  Search search = make_search(Position::start(), config);
  search.start({.nodes = 1000, .explore = true});
  run(search, evaluator);
  const auto moves = search.root_moves();
  double kept = 0;
  const PolicyTarget target = search.policy_target();
  for (const RootMove& m : moves) {
    const double forced = std::sqrt(2 * static_cast<double>(m.prior) * 900);
    if (m.visits > 0) {
      EXPECT_GE(m.visits + 1, forced) << m.prior;
    }
    const auto w = std::find_if(target.weights.begin(), target.weights.end(),
                                [&](const MoveWeight& x) { return x.move == m.move; });
    if (w != target.weights.end()) kept += 1;
  }
  EXPECT_LT(kept, static_cast<double>(moves.size()));
  EXPECT_EQ(
      std::max_element(target.weights.begin(), target.weights.end(),
                       [](const MoveWeight& a, const MoveWeight& b) { return a.weight < b.weight; })
          ->move,
      moves.front().move);
}

// A favourite that its last visits refuted still has the most visits.
TEST(Search, ABetterMoveOfFewerVisitsIsPlayed) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  int overtaken = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Search search = make_search(random_position(seed, 12), config, {}, seed);
    search.start({.nodes = 64});
    run(search, evaluator);
    if (search.proven()) continue;
    const auto moves = search.root_moves();
    const RootMove& best = moves.front();
    const RootMove& favourite = *std::ranges::max_element(moves, {}, &RootMove::visits);
    EXPECT_EQ(best.move, search.choose(0));
    EXPECT_GE(5 * best.visits, favourite.visits) << "seed " << seed;
    if (best.move == favourite.move) continue;
    EXPECT_GT(best.value_stm, favourite.value_stm) << "seed " << seed;
    ++overtaken;
  }
  EXPECT_GT(overtaken, 2);
}

TEST(Search, GumbelConsidersNoMoreMovesThanItHasTimeFor) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.gumbel = true;
  for (const int simulations : {3, 9, 17, 33, 65, 200}) {
    Search search = make_search(Position::start(), config);
    search.start({.nodes = static_cast<std::uint64_t>(simulations), .explore = true});
    run(search, evaluator);
    const auto moves = search.root_moves();
    const auto visited =
        std::ranges::count_if(moves, [](const RootMove& m) { return m.visits > 0; });
    EXPECT_EQ(visited, std::clamp((simulations - 1) / 4, 2, 16)) << simulations;
  }
}

}  // namespace
}  // namespace mcts
