#pragma once
// A second solver, as plain as can be: what every position with every clock is worth, from the last
// ply of the clock backwards, on all 64 squares, by the rules' own moves and outcomes. No symmetry,
// no cells, no courses, no order in which anything changes.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "rules/position.h"

namespace tablebase {

// White's points of all positions of one material, kings included.
class BruteForce {
 public:
  using Pieces = std::vector<std::pair<rules::Color, rules::PieceType>>;  // at most one pawn
  // By how they are told apart.
  using Solved = std::map<Pieces, const BruteForce*>;

  using Listener =
      std::function<void(const BruteForce& of, std::size_t number, int clock, double points)>;

  // `told` hears of every position with every clock from 100 down to 0. `smaller`: everything that
  // captures and promotions lead to.
  BruteForce(const Pieces& pieces, rules::RuleSet rules, const rules::ScoringTable& table,
             const Solved& smaller, const Listener& told);

  // Empty where two pieces share a square, or (where kings are kept safe) who has moved is in
  // check.
  std::optional<rules::Position> position(std::size_t number, int clock) const;

 private:
  // One position's successors: quiet ones, and the best of the others.
  struct Node {
    std::size_t number = 0;
    std::optional<double> over, fixed;
    std::vector<std::uint32_t> quiet;
  };
  Node node(std::size_t number) const;
  std::size_t number_of(const rules::Position& position) const;
  double points_of(const rules::Position& position) const;
  double worth(const Node& node, const std::vector<float>& later) const;

  Pieces pieces_;
  rules::RuleSet rules_;
  rules::ScoringTable table_;
  Solved smaller_;
  std::vector<float> at_zero_;  // points with the clock at 0, by number
};

}  // namespace tablebase
