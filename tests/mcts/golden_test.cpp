// Golden trees: the root visits of each algorithm with the hash evaluator. They change only with a change of
// the search that is meant.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "mcts/bench.h"
#include "rules/notation.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

constexpr const char* kMiddlegame =
    "k1b1r3/pp1n2pp/2pb4/3pp3/3PP3/2PB1N2/PP3PPP/K1BR3R[QNqrn] w - - 3 12";

struct Golden {
  const char* name;
  const char* fen;
  std::function<void(SearchConfig&)> change;
  bool explore;
  int batch;
  const char* visits;  // move:visits, best first, those visited more than 2 % of the root
  float value_stm;
};

std::string summary(const Search& search) {
  std::string text;
  for (const RootMove& m : search.root_moves()) {
    if (m.visits * 50 <= search.visits()) continue;
    text += (text.empty() ? "" : " ") + rules::to_uci(m.move) + ":" + std::to_string(m.visits);
  }
  return text;
}

class GoldenTree : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTree, IsUnchanged) {
  const Golden& golden = GetParam();
  SearchConfig config;
  if (golden.change) golden.change(config);
  HashEvaluator evaluator(5);
  Search search = make_search(rules::Position::from_fen(golden.fen), config, {}, 11);
  search.start({.simulations = 400, .explore = golden.explore});
  run(search, evaluator, golden.batch);
  EXPECT_EQ(summary(search), golden.visits);
  EXPECT_NEAR(search.value_stm(), golden.value_stm, 1e-4f);
}

INSTANTIATE_TEST_SUITE_P(
    All, GoldenTree,
    testing::Values(
        Golden{"puct", kMiddlegame, {}, false, 1, "", 0},
        Golden{"puct_batched", kMiddlegame, {}, false, 8, "", 0},
        Golden{"puct_explore", kMiddlegame, {}, true, 1, "", 0},
        Golden{"no_solver", kMiddlegame, [](SearchConfig& c) { c.solver = false; }, false, 1, "", 0},
        Golden{"moves_left", kMiddlegame, [](SearchConfig& c) {
                 c.moves_left_weight = 0.2f;
                 c.moves_left_threshold = 0;
               }, false, 1, "", 0},
        Golden{"root_temperature", kMiddlegame, [](SearchConfig& c) {
                 c.root_policy_temperature = 2;
                 c.noise_fraction = 0;
                 c.forced_playouts = 0;
               }, true, 1, "", 0},
        Golden{"gumbel", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, false, 1, "", 0},
        Golden{"gumbel_batched", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, false, 8, "", 0},
        Golden{"gumbel_explore", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, true, 1, "", 0}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(Signature, IsUnchangedAndRepeatable) {
  EXPECT_EQ(signature(), signature());
  EXPECT_EQ(signature(), 0u);
}

}  // namespace
}  // namespace mcts
