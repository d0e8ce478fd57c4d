#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/alphabeta_engine.h"
#include "engine/tree_engine.h"
#include "mcts/evaluator.h"
#include "tests/tablebase_folder.h"
#include "tests/tactics/random_nnue.h"

namespace engine {
namespace {

using rules::Position;
using tablebase::Tables;

std::shared_ptr<const Tables> three_pieces() {
  static const TablebaseFolder kFolder;
  return kFolder.tables;
}

// One by alpha-beta search, one by tree search.
std::vector<std::unique_ptr<Engine>> engines(std::shared_ptr<const Tables> tables) {
  const EngineOptions options{.hash_mib = 4, .tablebase = std::move(tables)};
  std::vector<std::unique_ptr<Engine>> both;
  both.push_back(std::make_unique<AlphaBetaEngine>(tactics::random_nnue(1), options));
  both.push_back(std::make_unique<TreeEngine>(
      options, [] { return std::make_unique<mcts::MaterialEvaluator>(); }));
  return both;
}

tactics::SearchReport answer(Engine& engine, const Position& position,
                             const tactics::SearchLimits& limits,
                             const rules::ScoringTable& table = {}) {
  tactics::SearchReport last;
  engine.set_position(position, table, {});
  engine.start(limits, [&](const tactics::SearchReport& report) { last = report; });
  engine.wait();
  EXPECT_TRUE(last.final);
  return last;
}

TEST(Tablebase, AnswersForARootThatItKnows) {
  for (const char* const fen :
       {"8/8/8/8/8/3k4/3P4/3K4[] w - - 0 1", "8/8/8/8/4p3/4k3/8/4K3[] b - - 90 1",
        "7k/8/5K2/8/8/8/8/Q7[] w - - 0 1", "4k3/8/8/8/8/8/8/4K1N1[] b - - 3 1"}) {
    const Position position = Position::from_fen(fen);
    const auto verdict = three_pieces()->probe(position);
    for (const auto& engine : engines(three_pieces())) {
      const auto report = answer(*engine, position, {.nodes = 1000, .multi_pv = 2});
      EXPECT_EQ(report.points_white, rules::ScoringTable{}.white_points(verdict->outcome)) << fen;
      EXPECT_EQ(report.best().outcomes, rules::certain(verdict->outcome)) << fen;
      EXPECT_TRUE(report.best().proven);
      EXPECT_EQ(report.moves.size(), position.legal_moves().size());
      EXPECT_EQ(report.nodes, 0u);
      EXPECT_GT(report.moves[1].line.size(), 1u);
    }
  }
}

TEST(Tablebase, LeadsToTheOutcomeThatItSays) {
  Position position = Position::from_fen("8/8/3k4/8/8/3K4/3P4/8[] w - - 0 1");
  const auto outcome = three_pieces()->probe(position)->outcome;
  const auto both = engines(three_pieces());
  for (int ply = 0; !position.outcome({}); ++ply) {
    ASSERT_LT(ply, 400);
    ASSERT_EQ(three_pieces()->probe(position)->outcome, outcome) << position.to_fen();
    position.play(answer(*both[ply % 2], position, {.nodes = 10}).best().move);
  }
  EXPECT_EQ(position.outcome({}), outcome);
}

TEST(Tablebase, MakesPositionsBehindTheRootExact) {
  const Position position = Position::from_fen("7k/8/8/n7/8/8/8/R3K3[] w - - 0 1");
  for (const auto& engine : engines(three_pieces())) {
    const auto report = answer(*engine, position, {.nodes = 300});
    EXPECT_EQ(report.best().value_stm, 1) << "the rook takes the knight, and wins";
    EXPECT_EQ(report.best().outcomes[6], 1);
    EXPECT_TRUE(report.best().proven);
    EXPECT_GT(report.tablebase_hits, 0u);
  }
  for (const auto& engine : engines(nullptr)) {
    const auto report = answer(*engine, position, {.nodes = 300});
    EXPECT_LT(report.best().value_stm, 1);
    EXPECT_EQ(report.tablebase_hits, 0u);
  }
}

TEST(Tablebase, IsNotAskedUnderATableThatRanksOtherwise) {
  const Position position = Position::from_fen("7k/8/5K2/8/8/8/8/Q7[] w - - 0 1");
  const auto other = rules::ScoringTable::from_changes("stalemate=4");
  for (const auto& engine : engines(three_pieces())) {
    EXPECT_EQ(answer(*engine, position, {.nodes = 50}, other).tablebase_hits, 0u);
  }
}

TEST(Tablebase, WaitsForStopWhereItIsAskedTo) {
  const Position position = Position::from_fen("7k/8/5K2/8/8/8/8/Q7[] w - - 0 1");
  for (const auto& engine : engines(three_pieces())) {
    std::atomic<int> reports = 0;
    engine->set_position(position, {}, {});
    engine->start({.infinite = true}, [&](const tactics::SearchReport&) { ++reports; });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(engine->running());
    EXPECT_EQ(reports, 1);
    engine->stop();
    engine->wait();
    EXPECT_EQ(reports, 2);
  }
}

}  // namespace
}  // namespace engine
