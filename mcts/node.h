#pragma once
// What a tree is made of.

#include <array>
#include <cstdint>
#include <vector>

#include "mcts/bounds.h"
#include "mcts/pool.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace mcts {

// How a game ends from some position under exact knowledge.
struct ExactEnd {
  rules::Outcome outcome = rules::Outcome::kImpasseEqual;
  float plies = 0;  // to the end of the game, at least
};

// A move that was walked. The viewpoint is White's.
struct Edge {
  Ref child = 0;                // node, or end_code() of an exact end, or 0 while it is classified
  std::uint32_t visits = 0;     // finished ones
  float value_white = 0;        // what selection compares, within its bounds
  std::uint16_t in_flight = 0;  // walks that passed and are not backed up
  Bounds bounds{};
  std::uint8_t marks = 0;  // kPruned, kExact

  static constexpr std::uint8_t kPruned = 1, kExact = 2;
  // Cannot be better than another move.
  bool pruned() const { return (marks & kPruned) != 0; }
  // value_white is the exact expectation, where chance is behind it.
  bool exact() const { return (marks & kExact) != 0; }
  void add_mark(std::uint8_t mark, bool if_so) {
    marks = static_cast<std::uint8_t>(marks | (if_so ? mark : 0));
  }
  // A further walk could change nothing.
  bool closed() const { return marks != 0 || bounds.proven(); }
  bool is_end() const { return child != 0 && child < Pool::kFirst; }
  static constexpr int kMostPlies = 3;  // of an exact end that is kept
  static Ref end_code(ExactEnd end) {
    return static_cast<Ref>(1 + rules::index(end.outcome) * 4 + static_cast<int>(end.plies));
  }
  ExactEnd end() const {
    return {static_cast<rules::Outcome>((child - 1) / 4), static_cast<float>((child - 1) % 4)};
  }
};
static_assert(sizeof(Edge) <= 16);

// What a backup adds to a node, and what a node holds: sums over its visits, White's viewpoint.
struct Sums {
  std::array<double, 8> terms{};  // value, then the seven outcome probabilities

  Sums() = default;
  Sums(float value_white, const rules::Outcomes& o)
      : terms{value_white, o[0], o[1], o[2], o[3], o[4], o[5], o[6]} {}

  double value() const { return terms[0]; }
  void add(const Sums& other, double factor = 1) {
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] += factor * other.terms[i];
  }
};

struct Node {
  Sums sums;             // over its visits
  float moves_left = 0;  // mean over visits, in plies from this node; exact distance where proven
  float visited_prior = 0;  // prior mass of edges
  float own_white = 0;      // what its own evaluation said, White's viewpoint
  std::uint32_t visits = 0;
  Ref policy = 0;                // move_count priors, then as many moves
  Ref edges = 0;                 // 2^edge_capacity_log2 edges, of which edge_count are in use
  std::uint16_t move_count = 0;  // 0: not expanded
  std::uint16_t edge_count =
      0;  // edge i is move i; the next move has the greatest prior of the rest
  Bounds bounds{};
  // The best that is sure for the side to move: where proven, how the game ends.
  rules::Outcome outcome : 4 = rules::Outcome::kBlackWins;
  std::uint8_t edge_capacity_log2 : 4 = 0;
  rules::Color side_to_move : 1 = rules::Color::kWhite;
  bool pending : 1 = false;  // its evaluation is on the way
  bool scanned : 1 = false;  // its exact ends are among the edges
  // Chance moves: the moves are cards, the priors their probabilities, and all of them are edges.
  bool chance : 1 = false;
  bool exact : 1 = false;  // sums / visits is exact, though no single outcome need be sure

  bool expanded() const { return move_count > 0; }
  std::size_t policy_bytes() const { return move_count * (sizeof(float) + sizeof(rules::Move)); }
  std::size_t edge_bytes() const { return sizeof(Edge) << edge_capacity_log2; }
};
static_assert(sizeof(Node) <= 112);

// An edge passed.
struct Step {
  Node* node;
  std::uint16_t edge;
};
// The edges passed, from the root on.
struct Walk {
  std::vector<Step> path;
  Node* leaf = nullptr;  // the node to expand
  int occurrences = 1;   // how often its position came in the game and on the walk
};

// What a parent keeps about a child.
struct Summary {
  float value_white = 0;
  Bounds bounds{};
  bool exact = false;
};

}  // namespace mcts
