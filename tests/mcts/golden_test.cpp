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
  config.solver = true;
  config.c_puct = 1.5f;
  config.fpu_reduction = config.fpu_reduction_root = 0.1f;
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
               "d3c2:35 c1d2:63 d3a6:56 c1h6:36 f3g5:29 g2g3:25 f3d2:21 h1e1:20 N@g1:19 a2a3:16 "
               "f3e1:15 f3h4:11 b2b3:9",
               -0.03850f},
        Golden{"puct_batched",
               kMiddlegame,
               {},
               false,
               8,
               "a1b1:56 c1h6:43 f3e1:42 g2g3:33 d3a6:31 c1e3:24 N@g1:21 h1e1:21 d3c2:15 a2a3:14 "
               "h1f1:14 f3d2:13 c1d2:11 f3h4:11 b2b3:9 f3g5:9",
               -0.04239f},
        Golden{"puct_explore",
               kMiddlegame,
               {},
               true,
               1,
               "d3c2:46 h1g1:37 a2a3:37 d1d2:31 c1h6:29 g2g3:24 h1e1:20 f3d2:19 N@g1:19 f3e1:14 "
               "c1d2:14 f3g5:14 d3a6:13 b2b3:9 f3h4:9",
               -0.04694f},
        Golden{"ending",
               kEnding,
               {},
               false,
               1,
               "g6g5:13 c6c5:50 c6c2:43 B@e8:34 f7e7:33 c6c7:31 c6c8:28 f7e6:27 c6c3:25 c6c1:23 "
               "f7f6:16 c6c4:14 B@a8:13 c6d6:12 f7e8:9",
               -0.02052f},
        Golden{"mate", kMate, {}, false, 1, "K@g8:117 K@c8:234 K@h8:27 K@d8:14", 0.21339f},
        Golden{"mate_without_scan", kMate, [](SearchConfig& c) { c.scan_visits = 0; }, false, 1,
               "K@d8:175 K@g8:108 K@c8:74 K@h8:30 K@a8:10", 0.18794f},
        Golden{"ending_without_solver", kEnding, [](SearchConfig& c) { c.solver = false; }, false,
               1,
               "g6g5:53 c6c2:43 B@e8:34 f7e7:33 f7e6:27 c6c7:26 c6c5:25 c6c1:23 c6c8:22 c6c3:20 "
               "f7f6:17 c6c4:14 B@a8:13 c6d6:12 f7e8:9",
               -0.01360f},
        Golden{"moves_left", kMiddlegame,
               [](SearchConfig& c) {
                 c.moves_left_weight = 0.2f;
                 c.moves_left_threshold = 0;
               },
               false, 1,
               "c1d2:64 d3a6:47 c1h6:41 f3e1:26 f3g5:26 d3c2:25 g2g3:25 f3d2:22 h1e1:20 N@g1:19 "
               "a2a3:16 b2b3:12 f3h4:11 c1e3:9",
               -0.04389f},
        Golden{"root_temperature", kMiddlegame,
               [](SearchConfig& c) {
                 c.root_policy_temperature = 2;
                 c.noise_fraction = 0;
                 c.forced_playouts = 0;
               },
               true, 1,
               "c1d2:70 d3c2:54 f3e1:33 f3g5:29 c1h6:28 f3d2:21 a2a3:19 g2g3:17 h1e1:15 d3a6:13 "
               "d3c4:12 b2b3:9 f3h4:9",
               -0.04414f},
        Golden{"gumbel_batched", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, true, 8,
               "d3c2:97 h2h3:98 d3f1:42 c1f4:42 f3e1:18 c1h6:18 d1d2:18 d3a6:18", -0.02311f},
        Golden{"gumbel", kMiddlegame, [](SearchConfig& c) { c.gumbel = true; }, true, 1,
               "d3c2:98 h2h3:97 d3f1:42 c1f4:42 f3e1:18 c1h6:18 d1d2:18 d3a6:18", -0.03810f}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(Signature, IsUnchangedAndRepeatable) {
  EXPECT_EQ(signature(), signature());
  EXPECT_EQ(signature(), 0x2fcdd36d9cc8071u);
}

}  // namespace
}  // namespace mcts
