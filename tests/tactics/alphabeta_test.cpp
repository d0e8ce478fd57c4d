#include "tactics/alphabeta.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <thread>

#include "tactics/alphabeta_bench.h"
#include "tactics/checks.h"
#include "tactics/lookahead.h"
#include "tactics/score.h"
#include "tests/rules/random_position.h"
#include "tests/tactics/positions.h"
#include "tests/tactics/random_nnue.h"

namespace tactics {
namespace {

using namespace rules;

SearchLimits to_depth(int depth) { return {.depth = depth}; }
SearchLimits to_nodes(std::uint64_t nodes) { return {.nodes = nodes}; }

SearchReport searched(const Position& position, const SearchLimits& limits,
                      const ScoringTable& table = {}) {
  AlphaBetaSearch search(Evaluator(), 1, 4);
  return search.search(position, table, {}, limits);
}

TEST(AlphaBeta, ScoresRiseWithTheOdds) {
  EXPECT_EQ(score_of(0), 0);
  EXPECT_EQ(score_of(0.5), -score_of(-0.5));
  EXPECT_NEAR(value_of(score_of(0.5)), 0.5, 1e-3);
  EXPECT_EQ(score_of(1), kSurestScore);
  EXPECT_EQ(value_of(kWinScore - 3), 1);
  EXPECT_EQ(value_of(3 - kWinScore), -1);
}

TEST(AlphaBeta, TakesTheKingAndNamesTheDistance) {
  const auto takes = searched(Position::from_fen("4k3/8/8/8/8/8/8/K3R3[] w - - 0 30"), to_depth(3));
  EXPECT_EQ(takes.best().score, kWinScore - 1);
  EXPECT_EQ(takes.best().move, Move::board(Square(4), Square(60)));
  const auto mates =
      searched(Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 30"), to_depth(4));
  EXPECT_EQ(mates.best().score, kWinScore - 3) << "a check, any move, the king";
  EXPECT_EQ(mates.best().outcomes[6], 1);
  const auto lost =
      searched(Position::from_fen("R5k1/5ppp/8/8/8/8/8/4K3[] b - - 0 30"), to_depth(4));
  EXPECT_EQ(lost.best().score, 2 - kWinScore) << "every move loses the king";
}

// What an unpruned search of three plies and the captures behind them finds is true; the pruning
// may hide a few of the longest lines until the search is deeper, but never turns a result round.
TEST(AlphaBeta, SeesTheKingsThatFallSoon) {
  Lookahead lookahead;
  int falls = 0, seen = 0;
  for (const Position& position : played_positions({}, 3000)) {
    MoveList survivors;
    position.surviving_moves(survivors);
    const Finding finding = lookahead.find(position, {}, survivors, 3);
    if (!finding.king_falls()) continue;
    ++falls;
    const int score = searched(position, to_depth(10)).best().score;
    seen += std::abs(score) > kSurestScore && (score > 0) == (finding.value > 0);
  }
  EXPECT_GT(falls, 50);
  EXPECT_GE(seen, falls * 97 / 100);
}

// Whether the king of the side to move falls, or the enemy's (`wins`), within so many plies,
// whatever is answered.
bool forced(const Position& position, bool wins, int plies) {
  if (const auto outcome = position.outcome({})) {
    return *outcome == win_of(wins ? position.side_to_move() : ~position.side_to_move());
  }
  if (position.can_capture_king()) return wins;
  if (plies == 0) return false;
  MoveList moves;
  position.surviving_moves(moves);
  if (moves.empty()) return !wins;
  const auto holds = [&](Move move) { return forced(position.after(move), !wins, plies - 1); };
  return wins ? std::any_of(moves.begin(), moves.end(), holds)
              : std::all_of(moves.begin(), moves.end(), holds);
}

TEST(AlphaBeta, ClaimsNoWinThatIsNotForced) {
  int claims = 0;
  for (const Position& position : played_positions({}, 1500)) {
    const auto found = searched(position, to_depth(5));
    const int score = found.best().score;
    const int distance = kWinScore - std::abs(score);
    if (std::abs(score) <= kSurestScore || distance > 5) continue;
    ++claims;
    EXPECT_TRUE(forced(position, score > 0, distance)) << position.to_fen() << " in " << distance;
  }
  EXPECT_GT(claims, 10);
}

TEST(AlphaBeta, PricesEndsByTheTable) {
  // White stands at the edge of the impasse with more material; only quiet moves are left.
  const Position edge = Position::from_fen("7k/8/8/8/8/8/8/KB6[] w - - 99 90");
  ScoringTable table;
  const auto standard = searched(edge, to_depth(2), table);
  EXPECT_NEAR(value_of(standard.best().score), 0.4, 0.01) << "seven of ten";
  EXPECT_EQ(standard.best().outcomes[4], 1);
  table.points_white[4] = 5.5;
  EXPECT_NEAR(value_of(searched(edge, to_depth(2), table).best().score), 0.1, 0.01);
  const auto black = searched(Position::from_fen("7k/8/8/8/8/8/8/KB6[] b - - 99 90"), to_depth(2));
  EXPECT_NEAR(value_of(black.best().score), -0.4, 0.01);
  EXPECT_EQ(black.best().outcomes[4], 1) << "in White's order, whoever is to move";
}

TEST(AlphaBeta, PrefersAStalemateToAnImpasseWhereItPaysMore) {
  // Kb6 or the like leaves Black without a move; the clock has nearly run down.
  const Position position = Position::from_fen("k7/8/8/1K6/8/8/8/2R5[] w - - 96 90");
  const auto found = searched(position, to_depth(6));
  EXPECT_GT(value_of(found.best().score), 0.39);
}

TEST(AlphaBeta, DependsOnNothingButWhatItIsAsked) {
  const auto weights = random_nnue(1);
  AlphaBetaSearch search(Evaluator(weights), 1, 4), other(Evaluator(weights), 1, 4);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Position position = random_position(seed, 30);
    if (position.can_capture_king()) continue;
    search.clear();
    const auto found = search.search(position, {}, {}, to_nodes(20000));
    EXPECT_LT(found.nodes, 20050u);
    other.clear();
    const auto again = other.search(position, {}, {}, to_nodes(20000));
    EXPECT_EQ(found.best().move, again.best().move);
    EXPECT_EQ(found.best().score, again.best().score);
    EXPECT_EQ(found.nodes, again.nodes);
  }
}

TEST(AlphaBeta, SaysItsEvaluationWhereNoMoveWasSearchedToItsEnd) {
  const Position ahead = Position::from_fen("4k3/8/8/8/8/8/8/QQ2K3[] w - - 0 1");
  ASSERT_GT(searched(ahead, to_depth(1)).points_white, 8);
  const auto found = searched(ahead, {.nodes = 1});
  EXPECT_EQ(found.depth, 0);
  EXPECT_GT(found.points_white, 8);
  EXPECT_TRUE(ahead.is_legal(found.best().move));
}

TEST(AlphaBeta, TellsSeveralLinesApartAndKeepsToTheMovesAsked) {
  const Position position = random_position(3, 30);
  SearchLimits limits = to_depth(5);
  limits.multi_pv = 3;
  const auto found = searched(position, limits);
  ASSERT_EQ(found.moves.size(), 3u);
  EXPECT_GE(found.moves[0].score, found.moves[1].score);
  EXPECT_GE(found.moves[1].score, found.moves[2].score);
  EXPECT_NE(found.moves[0].move, found.moves[1].move);
  limits.search_moves = {found.moves[2].move};
  const auto asked = searched(position, limits);
  ASSERT_EQ(asked.moves.size(), 1u);
  EXPECT_EQ(asked.best().move, found.moves[2].move);
}

TEST(AlphaBeta, ItsLineIsLegal) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Position position = random_position(seed, static_cast<int>(seed) + 10);
    if (position.can_capture_king()) continue;
    const SearchReport found = searched(position, to_nodes(5000));
    for (const Move move : found.best().line) {
      ASSERT_TRUE(position.is_legal(move)) << position.to_fen();
      position.play(move);
    }
  }
}

TEST(AlphaBeta, StopsWhenItIsToldAndKeepsToItsTime) {
  AlphaBetaSearch search(Evaluator(), 2, 4);
  std::atomic<bool> stop = false;
  SearchLimits limits;
  limits.infinite = true;
  auto found = std::async(std::launch::async, [&] {
    return search.search(Position::start(), {}, {}, limits, {}, {.stop = &stop});
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto told = std::chrono::steady_clock::now();
  stop = true;
  EXPECT_GT(found.get().depth, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - told,
            std::chrono::milliseconds(500));  // loaded machines
  stop = false;
  limits.infinite = false;
  limits.move_time_ms = 50;
  const auto timed = search.search(Position::start(), {}, {}, limits);
  EXPECT_GT(timed.elapsed_ms, 45);
  EXPECT_LT(timed.elapsed_ms, 1000);
}

TEST(AlphaBeta, KeepsItsTimeWhereThereIsNoChoice) {
  AlphaBetaSearch search(Evaluator(), 1, 4);
  const SearchControl control{.clock = {.soft_ms = 500, .hard_ms = 500}};
  int seen = 0;
  for (std::uint64_t seed = 0; seen < 3; ++seed) {
    const Position position = random_position(seed, 60);
    MoveList moves;
    position.surviving_moves(moves);
    if (position.can_capture_king() || moves.size() != 1) continue;
    ++seen;
    EXPECT_EQ(search.search(position, {}, {}, {}, {}, control).depth, 1) << position.to_fen();
  }
}

TEST(AlphaBeta, CountsTimeFromWhenItsPonderingEnds) {
  AlphaBetaSearch search(Evaluator(), 1, 4);
  std::atomic<bool> ponder = true;
  const SearchLimits limits{.move_time_ms = 60, .ponder = true};
  auto found = std::async(std::launch::async, [&] {
    return search.search(Position::start(), {}, {}, limits, {}, {.ponder = &ponder});
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ponder = false;
  EXPECT_GT(found.get().elapsed_ms, 250);
}

TEST(AlphaBeta, PlaysEveryRuleSetByItsRules) {
  for (const char* name : {"chess", "chess960", "chess_plus", "pre_chess", "no_castling"}) {
    const RuleSet rules = RuleSet::parse(name);
    AlphaBetaSearch search(Evaluator(), 1, 4);
    Position position = Position::start(rules);
    History past;
    for (int ply = 0; ply < 40 && !position.outcome(rules.table(), past.occurrences(position));
         ++ply) {
      const auto found = search.search(position, rules.table(), past, to_nodes(500));
      ASSERT_TRUE(position.is_legal(found.best().move)) << name << " " << position.to_fen();
      past.add(position);
      position.play(found.best().move);
    }
  }
}

TEST(AlphaBeta, IsTheSearchThatWasMeasured) {
  EXPECT_EQ(alphabeta_signature(), kSearchVersion)
      << "set kSearchVersion anew where the search was changed on purpose";
}

}  // namespace
}  // namespace tactics
