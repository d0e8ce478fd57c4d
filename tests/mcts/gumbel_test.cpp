#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <string>

#include "mcts/search.h"
#include "rules/notation.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

using rules::Position;

// The Gumbel target is a policy improvement: its expected value is no less than the prior's.
TEST(Search, GumbelTargetImprovesOnThePrior) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.gumbel = true;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Search search = make_search(random_position(seed, 12), config, {}, seed);
    search.start({.nodes = 64, .explore = true});
    run(search, evaluator);
    const PolicyTarget target = search.policy_target();
    double by_prior = 0, by_target = 0, mass = 0;
    for (const RootMove& m : search.root_moves()) {
      if (m.visits == 0) continue;
      mass += static_cast<double>(m.prior);
      by_prior += static_cast<double>(m.prior * m.value_stm);
    }
    double target_mass = 0;
    for (const RootMove& m : search.root_moves()) {
      for (const MoveWeight& w : target.weights) {
        if (w.move != m.move || m.visits == 0) continue;
        target_mass += static_cast<double>(w.weight);
        by_target += static_cast<double>(w.weight * m.value_stm);
      }
    }
    EXPECT_GT(by_target / target_mass, by_prior / mass);
  }
}

TEST(Search, GumbelVisitsAsTheHalvingPlans) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.gumbel = true;
  config.gumbel_actions = 16;
  Search search = make_search(Position::start(), config);
  search.start({.nodes = 201, .explore = true});
  run(search, evaluator);
  std::vector<int> visits;
  for (const RootMove& m : search.root_moves()) {
    if (m.visits > 0) visits.push_back(m.visits);
  }
  std::sort(visits.rbegin(), visits.rend());
  EXPECT_EQ(visits.size(), 16u);
  EXPECT_EQ(visits[0], visits[1]);  // the last two are told apart by their values
  EXPECT_EQ(visits[2], visits[3]);
  EXPECT_GT(visits[0], 2 * visits[2]);
  EXPECT_EQ(visits[8], visits[15]);
}

// What a kept tree's moves were visited for before does not outvote the halving, and of its
// finalists the one that had the odd visit has no advantage.
TEST(Search, GumbelPlaysTheBetterFinalistOfItsHalvingOnAKeptTree) {
  HashEvaluator evaluator;
  SearchConfig config = without_solver();
  config.gumbel = true;
  int outvoted = 0, behind = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Search search = make_search(random_position(seed, 12), config, {}, seed);
    search.start({.nodes = 200});
    run(search, evaluator);
    search.advance(search.choose(0));
    if (search.done()) continue;
    std::map<std::string, int> before, since, all;
    for (const RootMove& m : search.root_moves()) before[rules::to_uci(m.move)] = m.visits;
    search.start(
        {.nodes = static_cast<std::uint64_t>(search.visits()) + 25 + seed, .explore = true});
    run(search, evaluator);
    if (search.proven()) continue;
    for (const RootMove& m : search.root_moves()) {
      const std::string move = rules::to_uci(m.move);
      all[move] = m.visits;
      since[move] = m.visits - before[move];
    }
    const auto most = [](const std::map<std::string, int>& visits) {
      return std::ranges::max(visits | std::views::values);
    };
    const std::string best = rules::to_uci(search.choose(0));
    EXPECT_GE(since[best] + 1, most(since)) << "seed " << seed;
    const auto moves = search.root_moves();
    const auto visits = std::ranges::max(moves, {}, &RootMove::visits).visits;
    const float slope = (config.gumbel_visit_offset + static_cast<float>(visits)) *
                        config.gumbel_scale / 2;  // the paper's sigma, of values that span 2
    const auto worth = [&](const RootMove& m) { return std::log(m.prior) + slope * m.value_stm; };
    for (const RootMove& m : moves) {
      if (m.proven || since[rules::to_uci(m.move)] + 1 < most(since)) continue;
      EXPECT_LE(worth(m), worth(moves.front()) + 1e-3f) << "seed " << seed;
    }
    behind += since[best] < most(since);
    outvoted += all[best] < most(all);
  }
  EXPECT_GT(outvoted, 2);
  EXPECT_GT(behind, 0);
}

}  // namespace
}  // namespace mcts
