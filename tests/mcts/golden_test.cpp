// Golden trees: the root visits of each algorithm with the hash evaluator. They change only with a
// change of the search that is meant.

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "mcts/bench.h"
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
        Golden{"puct",
               kMiddlegame,
               {},
               false,
               1,
               "c1h6:76 d3a6:54 d3c2:51 f3g5:28 N@g1:24 f3d2:23 h1e1:20 g2g3:19 a2a3:15 c1d2:12 "
               "f3h4:12 f3e1:11 c1e3:10 b2b3:10",
               -0.02668f},
        Golden{"puct_batched",
               kMiddlegame,
               {},
               false,
               8,
               "c1d2:64 d3a6:43 c1h6:42 N@g1:31 f3d2:28 h1e1:25 g2g3:25 c1e3:23 d3c2:19 f3g5:15 "
               "f3h4:12 f3e1:11 b2b3:11 a2a3:10",
               -0.05014f},
        Golden{"puct_explore",
               kMiddlegame,
               {},
               true,
               1,
               "d3a6:52 d3c2:51 a2a3:36 d1d2:34 N@g1:23 f3g5:22 c1h6:18 h1e1:17 f3d2:16 h1g1:12 "
               "c1d2:11 c1e3:9 h1f1:9 g2g3:9",
               -0.03211f},
        Golden{"ending",
               kEnding,
               {},
               false,
               1,
               "g6g5:63 B@e8:43 c6c2:41 c6c5:36 f7e6:31 f7e7:25 c6c8:23 c6c7:22 c6c1:21 c6c3:20 "
               "B@a8:13 f7e8:13 c6d6:9 c6c4:9",
               -0.00630f},
        Golden{"mate", kMate, {}, false, 1, "K@g8:341 K@c8:22 K@d8:9", 1.00000f},
        Golden{"mate_without_scan", kMate, [](SearchConfig& c) { c.scan_visits = 0; }, false, 1,
               "K@d8:222 K@g8:78 K@c8:67 K@h8:17 K@a8:13", 0.23766f},
        Golden{"ending_without_solver", kEnding, [](SearchConfig& c) { c.solver = false; }, false,
               1,
               "g6g5:68 B@e8:44 c6c2:36 f7e6:36 f7e7:26 c6c7:24 c6c1:22 c6c5:22 c6c8:21 f7f6:16 "
               "c6d6:14 B@a8:13 f7e8:13 c6c3:11 c6c4:9",
               -0.02660f},
        Golden{"moves_left", kMiddlegame,
               [](SearchConfig& c) {
                 c.moves_left_weight = 0.2f;
                 c.moves_left_threshold = 0;
               },
               false, 1,
               "c1h6:86 d3a6:54 f3g5:32 f3d2:26 g2g3:25 h1e1:23 N@g1:22 a2a3:15 d3c2:14 f3h4:14 "
               "f3e1:13 c1d2:13 c1e3:12 b2b3:11",
               -0.04256f},
        Golden{"root_temperature", kMiddlegame,
               [](SearchConfig& c) {
                 c.root_policy_temperature = 2;
                 c.noise_fraction = 0;
                 c.forced_playouts = 0;
               },
               true, 1,
               "d3c2:61 d3a6:54 f3g5:32 c1e3:25 f3d2:24 a2a3:19 c1h6:18 N@g1:17 h1e1:16 d3c4:15 "
               "c1d2:13 f3e1:12 b2b3:11 h1f1:9 f3h4:9 g2g3:9",
               -0.04698f},
        Golden{"gumbel", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, false, 1,
               "c1h6:98 f3e1:97 c1d2:42 N@g1:42 f3g5:18 g2g3:18 h1e1:18 h1f1:18", -0.04694f},
        Golden{"gumbel_batched", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, false, 8,
               "c1d2:98 c1h6:97 f3e1:42 N@g1:42 f3g5:18 g2g3:18 h1e1:18 h1f1:18", -0.04546f},
        Golden{"gumbel_explore", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, true, 1,
               "d3c2:98 h2h3:97 c1f4:42 d3f1:42 f3e1:18 d1d2:18 c1h6:18 d3a6:18", -0.03810f}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(Signature, IsUnchangedAndRepeatable) {
  EXPECT_EQ(signature(), signature());
  EXPECT_EQ(signature(), 0x331a40e4be7a7e5fu);
}

}  // namespace
}  // namespace mcts
