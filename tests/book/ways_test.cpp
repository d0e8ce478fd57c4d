#include "book/ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "book/leaf_games.h"
#include "rules/notation.h"
#include "tests/book/exact_searcher.h"

namespace book {
namespace {

// A book of the start of Chess# in which every search says another value.
Book opening_book(int positions) {
  class Hashed final : public Searcher {
    std::optional<Finding> search(const rules::Position& position,
                                  std::span<const rules::Move> moves) override {
      base::Rng rng(position.key() ^ moves.size());
      return Finding{.points_white = 5 + 0.2 * rng.normal(),
                     .error = 0.1,
                     .outcomes = rules::certain(rules::Outcome::kImpasseEqual),
                     .move = moves[rng.below(static_cast<std::uint32_t>(moves.size()))]};
    }
  };
  Book book({.start = rules::Position::start(), .table = {}, .nodes = 1, .searcher = "hash"});
  grow_in_memory(
      book, [] { return std::make_unique<Hashed>(); }, positions);
  return book;
}

TEST(Ways, LeadToEachPositionByLegalMoves) {
  const Book book = opening_book(400);
  bool some_mirrored = false;
  for (int i = 0; i < book.size(); ++i) {
    const Way way = way_to(book, i);
    rules::Line line(book.terms().start);
    for (const rules::Move move : way.moves) line.play(rules::to_uci(move));
    ASSERT_EQ(book.find(line.position), i);
    EXPECT_EQ(std::ssize(way.moves), book.node(i).plies);
    some_mirrored = some_mirrored || !line.position.recurs_as(book.node(i).position);
    // So does the main line, from the position as it was reached.
    for (const rules::Move move : main_line(book, line.position, i)) line.play(rules::to_uci(move));
    EXPECT_FALSE(book.find(line.position)) << "it ends outside the book";
  }
  EXPECT_TRUE(some_mirrored);
}

TEST(Ways, SharesFollowThePointsLost) {
  const Book book = opening_book(100);
  const Node& start = book.node(0);
  const std::vector<double> likely = shares(book, start, 0.1);
  ASSERT_EQ(likely.size(), start.edges.size() + 1);
  double sum = 0;
  for (const double share : likely) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  const auto best = best_edge(book, start);
  const std::size_t first = best ? *best : start.edges.size();
  for (std::size_t i = 0; i < start.edges.size(); ++i) {
    const double lost = start.points.value - book.node(start.edges[i].to).points.value;
    EXPECT_NEAR(likely[i] / likely[first], std::exp(-lost / 0.1), 1e-9);
  }
  EXPECT_EQ(moves_within(book, start, 0), 1);
  EXPECT_EQ(moves_within(book, start, 10), std::ssize(start.edges) + (start.rest ? 1 : 0));
  // Drawn as often as that.
  base::Rng rng(7);
  std::map<rules::Move, int,
           decltype([](rules::Move a, rules::Move b) { return a.raw() < b.raw(); })>
      drawn;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) ++drawn[draw_way_out(book, 0.1, rng).moves.front()];
  for (std::size_t i = 0; i < start.edges.size(); ++i) {
    const rules::Move move = as_played(book.terms().start, start, start.edges[i].move);
    EXPECT_NEAR(drawn[move] / double{kDraws}, likely[i], 0.03) << rules::to_uci(move);
  }
}

TEST(Ways, BalancedEndsAreEndsNearAnEvenGame) {
  const Book book = opening_book(200);
  const std::vector<int> all = ends(book), even = balanced_ends(book, 0.1);
  EXPECT_GT(all.size(), even.size());
  EXPECT_FALSE(even.empty());
  double cost = 0;
  for (const int end : even) {
    EXPECT_TRUE(book.node(end).edges.empty());
    EXPECT_NEAR(book.node(end).points.value, 5, 0.1);
    EXPECT_GE(book.node(end).cost, cost);
    cost = book.node(end).cost;
  }
}

TEST(LeafGames, AreTheSameForAnyNumberOfThreads) {
  const Book book = opening_book(50);
  LeafGamesConfig config{.temperature = 0.1, .draws = 30, .nodes = 20, .threads = 1, .seed = 3};
  const auto one = play_leaf_games(book, tactics::Evaluator(), config);
  config.threads = 3;
  const auto three = play_leaf_games(book, tactics::Evaluator(), config);
  int draws = 0;
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].leaf, three[i].leaf);
    EXPECT_EQ(one[i].points_white, three[i].points_white);
    EXPECT_FALSE(book.find(one[i].leaf));
    draws += one[i].times;
  }
  EXPECT_EQ(draws, 30);
}

}  // namespace
}  // namespace book
