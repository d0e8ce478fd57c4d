#pragma once
// An opening book with bounds: positions, each with what a search says of the moves that the book
// does not have, and what comes of them by minimax.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "book/searcher.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace book {

// The halfmove clock counts from here on: below, positions that differ in it alone are one.
inline constexpr int kClockCounts = 50;
// Points that a move costs on the way to a position, beside those that it loses.
inline constexpr double kCostOfMove = 0.02;
// Points that the best move outside the book is cheaper by, for each point of its error.
inline constexpr double kWorthOfDoubt = 0.5;

// What a book is of and how its positions are searched: all of it the same for its whole life.
struct Terms {
  rules::Position start;
  rules::ScoringTable table;
  std::uint64_t nodes = 0;  // of a search
  std::string searcher;     // what tells it from others
  bool operator==(const Terms&) const = default;
};

// White's points of ten.
struct Bounds {
  double value = 5, low = 0, high = 10;
  bool operator==(const Bounds&) const = default;
};

Bounds bounds_of(const Finding& finding);

struct Edge {
  rules::Move move;  // in the position as the book has it
  int to = 0;        // a position's number
  bool operator==(const Edge&) const = default;
};

struct Node {
  rules::Position position;  // as image_of() has it
  // Its clock tells it from the same position on the way to it, where that is in the book too.
  bool own_clock = false;
  std::optional<rules::Outcome> outcome{};  // the game is over
  std::vector<Edge> edges{};                // in the order in which they came
  std::optional<Finding> rest{};            // of all other moves; empty: there is none

  // What comes of the above.
  std::vector<int> parents{};
  Bounds points{};
  double cost = 0;  // from the start: points lost and kCostOfMove a move
  int from = -1;    // the position before it on the cheapest way; -1: this is the start
  int plies = 0;    // of that way
};

// One step of growth: the best move outside the book at a position enters it.
struct Step {
  int at = -1;                   // -1: the start itself enters
  Edge edge;                     // its `to` is the next number where a position enters
  std::optional<Node> entering;  // the position that the edge leads to, where that is new
  std::optional<Finding> rest;   // at `at` afterwards
};

// The position or its mirror image, whichever has the smaller key, where the two are like games.
rules::Position image_of(const rules::Position& position);

// The moves that a side considers: those that do not lose the king at once, where there are any.
std::vector<rules::Move> considered_moves(const rules::Position& position);

class Book {
 public:
  explicit Book(Terms terms) : terms_(std::move(terms)) {}

  const Terms& terms() const { return terms_; }
  // By number; the start is the first.
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  int depth() const;  // plies of the longest of the cheapest ways

  // The number of this position or of its image.
  std::optional<int> find(const rules::Position& position) const;

  // The moves considered at the node that lead to no position of these edges.
  static std::vector<rules::Move> outside(const Node& node, const std::vector<Edge>& edges);
  // What the best move outside the book costs from the start; infinite where it is none, or exact.
  double cost_of_growth(const Node& node) const;
  // The step at that node, without the findings of its searches; empty where its best move outside
  // the book only leads back. REQUIRES: cost_of_growth() is finite, or the book is empty and
  // `at` is -1.
  std::optional<Step> step_at(int at) const;
  // Whether nothing that was added since step_at() is in the way of the step.
  bool fits(const Step& step) const;
  // Takes the step and backs up values and costs. REQUIRES: fits(step).
  void add(Step step);

  // What a reader of a stored book does instead: all nodes, with their edges. Throws
  // base::InputError where they are no book of these terms.
  void load(std::vector<Node> nodes);

 private:
  std::optional<int> find(const rules::Position& image, bool own_clock) const;
  // By number: whether the book's moves lead from there to `node`, or it is that.
  std::vector<bool> ancestors(int node) const;
  void check() const;
  void enter(Node node);
  void back_up();
  // Each node after those that its edges lead to; empty where edges lead in a circle.
  std::vector<int> order() const;
  Bounds backed_up(const Node& node) const;

  Terms terms_;
  std::vector<Node> nodes_;
  std::unordered_multimap<std::uint64_t, int> by_key_;
};

}  // namespace book
