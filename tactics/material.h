#pragma once
// What pieces count for where nothing is learned.

#include <array>
#include <bit>

#include "rules/outcome.h"
#include "rules/position.h"

namespace tactics {

// The sum of a side's pieces by their values, of those in reserve or deck times `in_hand`.
template <class Value, std::size_t N, class Factor>
Value material(const rules::Position& position, rules::Color color,
               const std::array<Value, N>& values, Factor in_hand) {
  Value sum = 0;
  for (const rules::PieceType type : rules::kMaterialTypes) {
    const int on_board = std::popcount(position.pieces(color, type));
    sum += values[static_cast<std::size_t>(index(type))] *
           (on_board + in_hand * position.reserve(color, type));
  }
  return sum;
}

// Material on the board and in hand under a table's piece values, pawns a little more the further
// they are, and what an impasse would pay as it comes nearer.
class Material {
 public:
  void set_table(const rules::ScoringTable& table);
  // For the side to move, in [-1, 1].
  double value_stm(const rules::Position& position) const;

 private:
  double strength(const rules::Position& position, rules::Color color) const;

  rules::ScoringTable table_;
  double per_unit_ = 0;  // of material: what tanh() is taken of
};

}  // namespace tactics
