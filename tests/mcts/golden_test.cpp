// Golden trees: the root visits of each algorithm with the hash evaluator. They change only with a
// change of the search that is meant.

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "mcts/tree_bench.h"
#include "rules/notation.h"
#include "tests/mcts/support.h"

namespace mcts {
namespace {

constexpr const char* kMate = "5q2/2q5/8/K7/8/8/8/8[k] b - - 32 60";
constexpr const char* kEnding = "8/1p3k2/2r3p1/8/5P2/1K4PR/8/2R5[Nb] b - - 96 60";
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

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

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
  SearchConfig config = without_solver();
  config.solver = true;
  config.c_puct = 1.5f;
  if (golden.change) golden.change(config);
  HashEvaluator evaluator(5);
  Search search = make_search(rules::Position::from_fen(golden.fen), config, {}, 11);
  search.start({.nodes = 400, .explore = golden.explore});
  run(search, evaluator, golden.batch);
  EXPECT_EQ(summary(search), golden.visits);
  EXPECT_NEAR(search.value_stm(), golden.value_stm, 1e-4f);
}

INSTANTIATE_TEST_SUITE_P(
    All, GoldenTree,
    testing::Values(
        Golden{"puct",
               kMiddlegame,
               {},
               false,
               1,
               "c1d2:77 d3a6:50 f3e1:34 c1h6:34 f3g5:25 g2g3:24 h1e1:22 N@g1:18 f3d2:17 "
               "d3c2:15 h1f1:12 b2b3:12 f3h4:11",
               -0.05384f},
        Golden{"puct_batched",
               kMiddlegame,
               {},
               false,
               8,
               "c1d2:79 d3a6:49 f3e1:37 g2g3:31 h1e1:22 c1e3:20 N@g1:18 d3c2:15 c1h6:15 "
               "a1b1:13 h1f1:12 f3d2:11 f3h4:11 a2a3:10 f3g5:10 b2b3:9",
               -0.05083f},
        Golden{"puct_explore",
               kMiddlegame,
               {},
               true,
               1,
               "c1d2:51 h1g1:33 f3e1:28 d1d2:26 d3a6:23 a2a3:23 c1h6:22 g2g3:22 h1e1:17 "
               "N@g1:16 d3c2:14 h1f1:12 b2b3:10 f3g5:9 f3h4:9",
               -0.04443f},
        Golden{"ending",
               kEnding,
               {},
               false,
               1,
               "c6c5:43 c6c8:49 f7e7:48 f7e6:44 c6c2:38 B@e8:26 c6c7:24 c6c3:23 c6c1:20 "
               "f7f6:15 g6g5:12 B@a8:11 c6d6:9",
               0.00875f},
        Golden{"mate", kMate, {}, false, 1, "K@g8:326 K@c8:37 K@d8:13 K@h8:8", 1.00000f},
        Golden{"mate_without_scan", kMate, [](SearchConfig& c) { c.scan_visits = 0; }, false, 1,
               "K@g8:242 K@c8:77 K@h8:44 K@d8:22 K@a8:10", 0.60000f},
        Golden{"ending_without_solver", kEnding, [](SearchConfig& c) { c.solver = false; }, false,
               1,
               "g6g5:13 c6c8:50 f7e6:45 c6c5:44 c6c2:40 f7e7:39 B@e8:26 c6c7:24 c6c1:21 "
               "c6c3:19 f7f6:15 B@a8:11 c6d6:10 c6c4:9",
               0.00053f},
        Golden{"gumbel_batched", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, true, 8,
               "d3c2:97 h2h3:98 d3f1:42 c1f4:42 f3e1:18 c1h6:18 d1d2:18 d3a6:18", -0.02311f},
        Golden{"gumbel", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, true, 1,
               "d3c2:98 h2h3:97 d3f1:42 c1f4:42 f3e1:18 c1h6:18 d1d2:18 d3a6:18", -0.03810f}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(Signature, IsUnchangedAndRepeatable) {
  EXPECT_EQ(signature(), signature());
  EXPECT_EQ(signature(), 0x2e4911c283a985c7u);
}

}  // namespace
}  // namespace mcts
