#include "engine/alphabeta_engine.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "engine/tree_engine.h"
#include "mcts/evaluator.h"
#include "tactics/alphabeta.h"
#include "tests/tactics/random_nnue.h"

namespace engine {
namespace {

using namespace mcts;

using rules::Position;

AlphaBetaEngine engine_of(int threads = 1) {
  return {tactics::random_nnue(1), {.threads = threads, .hash_mib = 4}};
}

tactics::SearchReport searched(Engine& engine, const Position& position,
                               const tactics::SearchLimits& limits) {
  tactics::SearchReport last;
  engine.set_position(position, {}, {});
  engine.start(limits, [&](const tactics::SearchReport& report) { last = report; });
  engine.wait();
  EXPECT_TRUE(last.final);
  return last;
}

TEST(AlphaBetaEngine, ReportsInWhitesOrder) {
  AlphaBetaEngine engine = engine_of();
  const Position lost = Position::from_fen("R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 30");
  const auto report = searched(engine, lost, {.nodes = 2000});
  EXPECT_EQ(report.points_white, 10);
  EXPECT_EQ(report.best().outcomes[6], 1) << "White wins";
  EXPECT_EQ(report.moves.front().value_stm, -1) << "seen by Black, who is to move";
  EXPECT_TRUE(report.moves.front().proven);
}

TEST(AlphaBetaEngine, EveryReportSaysWhatOutcomesItExpects) {
  AlphaBetaEngine engine = engine_of();
  engine.set_position(Position::start(), {}, {});
  int reports = 0;
  engine.start({.move_time_ms = 400}, [&](const tactics::SearchReport& report) {
    ++reports;
    EXPECT_NEAR(std::accumulate(report.best().outcomes.begin(), report.best().outcomes.end(), 0.0),
                1, 1e-4)
        << "depth " << report.depth;
  });
  engine.wait();
  EXPECT_GT(reports, 1);
}

// Every thread looks at the clock, for the first may not have its turn for seconds.
TEST(AlphaBetaEngine, ManyThreadsOnOneCoreKeepTheTime) {
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  AlphaBetaEngine engine = engine_of(256);
  double ms = 1e9;
  for (int attempt = 0; attempt < 3 && ms > 1000; ++attempt) {  // on a busy machine
    ms = searched(engine, Position::start(), {.move_time_ms = 200}).elapsed_ms;
  }
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_LT(ms, 1000);
}

// As where a container may have only so many: there is no room for the stacks of all.
TEST(AlphaBetaEngine, SearchesWithTheThreadsThatTheMachineGives) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take address space of their own";
#endif
  AlphaBetaEngine alpha_beta = engine_of(1024);
  TreeEngine tree({.threads = 1024, .hash_mib = 16},
                  [] { return std::make_unique<HashEvaluator>(); });
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit bound = before;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  bound.rlim_cur =
      pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (std::size_t{200} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &bound), 0);
  const auto by_alpha_beta = searched(alpha_beta, Position::start(), {.move_time_ms = 1500});
  const auto by_tree = searched(tree, Position::start(), {.move_time_ms = 500});
  setrlimit(RLIMIT_AS, &before);
  for (const tactics::SearchReport& report : {by_alpha_beta, by_tree}) {
    EXPECT_GT(report.threads, 1);
    EXPECT_LT(report.threads, 1024);
    EXPECT_TRUE(Position::start().is_legal(report.moves.front().move));
  }
}

TEST(AlphaBetaEngine, HandsOnWhatEndedTheSearch) {
  for (const int depth : {1, 4}) {  // then other threads search too
    AlphaBetaEngine engine = engine_of(2);
    engine.set_position(Position::start(), {}, {});
    tactics::SearchReport last;
    const auto listener = [&](const tactics::SearchReport& report) {
      if (report.error.empty() && report.depth >= depth) {
        throw std::runtime_error("no memory for the text");
      }
      last = report;
    };
    engine.start({.infinite = true}, listener);
    EXPECT_THROW(engine.wait(), std::runtime_error);
    EXPECT_FALSE(engine.running());
    EXPECT_TRUE(last.final);
    EXPECT_EQ(last.error, "no memory for the text");
    EXPECT_TRUE(Position::start().is_legal(last.best().move));
    engine.wait();  // said once
    EXPECT_EQ(searched(engine, Position::start(), {.depth = 2}).error, "");
  }
}

TEST(AlphaBetaEngine, BeingListenedToDoesNotChangeTheSearch) {
  const auto found = [](bool listened) {
    tactics::AlphaBetaSearch search(tactics::Evaluator(tactics::random_nnue(1)), 1, 4);
    const tactics::SearchLimits limits{.depth = 6};
    const auto last = listened ? search.search(Position::start(), {}, {}, limits,
                                               [](const tactics::SearchReport&) {})
                               : search.search(Position::start(), {}, {}, limits, nullptr);
    return std::pair(last.nodes, last.best().score);
  };
  EXPECT_EQ(found(true), found(false));
}

TEST(AlphaBetaEngine, KeepsItsLimits) {
  AlphaBetaEngine engine = engine_of();
  EXPECT_LE(searched(engine, Position::start(), {.nodes = 3000}).nodes, 3100u);
  EXPECT_EQ(searched(engine, Position::start(), {.depth = 4}).depth, 4);
  const auto timed = searched(engine, Position::start(), {.move_time_ms = 120});
  EXPECT_GT(timed.elapsed_ms, 80);
  EXPECT_LT(timed.elapsed_ms, 1000);
  const auto clock = searched(engine, Position::start(), {.clock = tactics::Clock{.left_ms = 600}});
  EXPECT_LT(clock.elapsed_ms, 500);
  tactics::SearchLimits three{.nodes = 5000, .multi_pv = 3};
  const auto lines = searched(engine, Position::start(), three).moves;
  ASSERT_EQ(lines.size(), 3u);
  for (const RootMove& line : lines) {
    float sum = 0;
    for (const float share : line.outcomes) sum += share;
    EXPECT_NEAR(sum, 1, 1e-3) << "of each line, not of the best alone";
  }
}

TEST(AlphaBetaEngine, PondersUntilTheMoveIsPlayedAndStops) {
  AlphaBetaEngine engine = engine_of(2);
  engine.set_position(Position::start(), {}, {});
  tactics::SearchLimits limits{.move_time_ms = 60, .ponder = true};
  engine.start(limits, {[](const tactics::SearchReport&) {}});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(engine.running());
  engine.ponder_hit();
  engine.wait();
  EXPECT_FALSE(engine.running());
  engine.start({.infinite = true}, {[](const tactics::SearchReport&) {}});
  engine.stop();
  engine.wait();
  EXPECT_FALSE(engine.running());
  EXPECT_GT(searched(engine, Position::start(), {.nodes = 1000}).nodes, 500u) << "as before";
}

TEST(AlphaBetaEngine, RefusesAFinishedGame) {
  AlphaBetaEngine engine = engine_of();
  EXPECT_THROW(engine.set_position(Position::from_fen("7k/8/8/8/8/8/8/KB6[] w - - 100 90"), {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace engine
