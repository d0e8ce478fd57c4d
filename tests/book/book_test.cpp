#include "book/book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/errors.h"
#include "rules/notation.h"
#include "tests/book/exact_searcher.h"

namespace book {
namespace {

// Few moves before the fifty moves are over, so that every line can be followed to its end. The
// rook's side wins in some and not in others.
constexpr const char* kEndings[] = {
    "k7/8/2K5/8/8/8/8/7R w - - 96 80", "k7/8/1K6/8/8/8/8/7R w - - 96 80",
    "1k6/8/2K5/8/8/8/8/7Q b - - 96 80", "7K/8/5k2/8/8/8/8/r7 b - - 96 80"};

MakeSearcher make_exact(const Terms& terms, const Noise& noise, std::uint64_t seed) {
  return [solver = std::make_shared<Solver>(terms.table), noise, seed] {
    return std::make_unique<ExactSearcher>(solver, noise, seed);
  };
}

TEST(Book, ItsBoundsHoldTheExactValueAndCloseOnIt) {
  for (const char* fen : kEndings) {
    const Terms terms = ending(fen);
    Solver solver(terms.table);
    const double exact = solver.points(terms.start);
    Book book(terms);
    double widest = 0;
    const bool complete =
        grow_in_memory(book, make_exact(terms, bounded_noise(2), 7), 100000, [&](const Book& now) {
          const Bounds& bounds = now.node(0).points;
          widest = std::max(widest, bounds.high - bounds.low);
          ASSERT_LE(bounds.low, exact) << fen << ", " << now.size();
          ASSERT_GE(bounds.high, exact) << fen << ", " << now.size();
        });
    EXPECT_TRUE(complete) << fen;
    EXPECT_EQ(book.node(0).points, (Bounds{exact, exact, exact})) << fen;
    EXPECT_GT(widest, 1) << fen;
    EXPECT_GT(book.size(), 50) << fen;
    for (const Node& node : book.nodes()) {
      ASSERT_EQ(node.points.value, solver.points(node.position)) << node.position.to_fen();
    }
  }
}

TEST(Book, MirrorImagesAndTranspositionsAreOne) {
  const rules::Position start = rules::Position::start();
  Book book({.start = start, .table = {}, .nodes = 1, .searcher = "flat"});
  class Flat final : public Searcher {  // takes the first move
    std::optional<Finding> search(const rules::Position&,
                                  std::span<const rules::Move> moves) override {
      return Finding{.points_white = 5, .error = 0.1, .outcomes = {}, .move = moves.front()};
    }
  };
  grow_in_memory(
      book, [] { return std::make_unique<Flat>(); }, 150);
  std::set<std::string> fens;
  for (const Node& node : book.nodes()) {
    const std::string fen = node.position.to_fen(), image = node.position.mirrored().to_fen();
    const auto board = [](const std::string& text) { return text.substr(0, text.find(" - ")); };
    EXPECT_TRUE(fens.insert(board(fen)).second) << fen;
    EXPECT_FALSE(board(image) != board(fen) && fens.contains(board(image))) << fen;
  }
  const rules::Position one =
      rules::parse_line(start.to_fen() + " moves K@d1 K@d8 e2e3 e7e6").position;
  const rules::Position two =
      rules::parse_line(start.to_fen() + " moves K@e1 K@e8 d2d3 d7d6").position;
  EXPECT_EQ(image_of(one).key(), image_of(two).key());
  EXPECT_FALSE(book.find(rules::parse_line(start.to_fen() + " moves K@h1").position) ==
               std::optional<int>(0));
  // What the book does not have at the start is what leads to none of its positions.
  const Node& first = book.node(0);
  for (const rules::Move move : Book::outside(first, first.edges)) {
    EXPECT_FALSE(book.find(start.after(move)) &&
                 std::ranges::any_of(
                     first.edges,
                     [&](const Edge& edge) { return edge.to == *book.find(start.after(move)); }))
        << rules::to_uci(move);
  }
}

TEST(Book, WhatCostsLeastFromTheStartIsNext) {
  const Terms terms = ending(kEndings[0]);
  Book book(terms);
  grow_in_memory(book, make_exact(terms, bounded_noise(1), 3), 60);
  // By hand: a way's cost is the points lost on it and kCostOfMove a move, the least over all ways.
  for (int i = 1; i < book.size(); ++i) {
    double least = 1e9;
    for (const int parent : book.node(i).parents) {
      const Node& before = book.node(parent);
      const bool white = before.position.side_to_move() == rules::Color::kWhite;
      const double lost = (before.points.value - book.node(i).points.value) * (white ? 1 : -1);
      EXPECT_GE(lost, 0);
      least = std::min(least, before.cost + kCostOfMove + lost);
    }
    EXPECT_DOUBLE_EQ(book.node(i).cost, least);
  }
  int cheapest = 0;
  for (int i = 1; i < book.size(); ++i) {
    if (book.cost_of_growth(book.node(i)) < book.cost_of_growth(book.node(cheapest))) cheapest = i;
  }
  std::optional<Step> taken;
  grow(book, make_exact(terms, bounded_noise(1), 3),
       {.positions = book.size() + 1,
        .keep = [&](const Book&, const Step& step) { taken = taken ? taken : step; },
        .on_step = [](const Book&) {}});
  EXPECT_EQ(taken.value().at, cheapest);
}

// 200 books of each size: how often the bounds of the start hold its value, and how far its value
// lies above that, to the good of White who chooses there.
TEST(Book, ItsBoundsHoldUnderPlantedNoiseAsOftenAsSaid) {
  const Terms terms = ending("k7/8/8/8/3K4/8/8/7R w - - 95 80");
  const auto solver = std::make_shared<Solver>(terms.table);
  const double exact = solver->points(terms.start);
  ASSERT_EQ(exact, 5);  // nobody wins in time, and most moves are equally good
  constexpr int kBooks = 200;
  for (const int size : {1, 10, 40, 160}) {
    int held = 0;
    double bias = 0;
    for (int seed = 0; seed < kBooks; ++seed) {
      Book book(terms);
      grow_in_memory(
          book,
          [&] {
            return std::make_unique<ExactSearcher>(solver, normal_noise(0.3),
                                                   base::mix64(static_cast<std::uint64_t>(seed)));
          },
          size);
      const Bounds& bounds = book.node(0).points;
      held += bounds.low <= exact && exact <= bounds.high ? 1 : 0;
      bias += (bounds.value - exact) / kBooks;
    }
    RecordProperty("held_" + std::to_string(size), held);
    RecordProperty("bias_" + std::to_string(size), std::to_string(bias));
    EXPECT_GE(held, 95 * kBooks / 100) << size;
    if (size == 40) {  // a quarter of the noise's deviation, to the good of White, who chooses
      EXPECT_GT(bias, 0.05);
      EXPECT_LT(bias, 0.1);
    }
  }
}

TEST(Book, DamagedNodesAreRefused) {
  const Terms terms = ending(kEndings[1]);
  Book book(terms);
  grow_in_memory(book, make_exact(terms, bounded_noise(1), 3), 20);
  const auto refused = [&](const std::function<void(std::vector<Node>&)>& damage) {
    std::vector<Node> nodes = book.nodes();
    damage(nodes);
    Book again(terms);
    EXPECT_THROW(again.load(std::move(nodes)), base::InputError);
  };
  Book same(terms);
  same.load(book.nodes());
  EXPECT_EQ(same.node(0).points, book.node(0).points);
  refused([](auto& nodes) { nodes[0].edges[0].to = 1000; });
  refused([](auto& nodes) { nodes[0].edges[0].to = 0; });
  refused([](auto& nodes) { nodes[0].edges[0].move = rules::Move::from_raw(1); });
  refused([](auto& nodes) { nodes[0].edges.pop_back(); });
  refused([](auto& nodes) { nodes[0].rest.reset(); });
  refused([](auto& nodes) { nodes.pop_back(); });
  refused([](auto& nodes) { nodes.erase(nodes.begin()); });
}

}  // namespace
}  // namespace book
