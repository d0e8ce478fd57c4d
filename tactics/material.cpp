#include "tactics/material.h"

#include <cmath>

#include "tactics/piece_values.h"

namespace tactics {
namespace {

using namespace rules;

constexpr double kSteepness = 6.5;  // a sixth of an army ahead is worth tanh(1)
constexpr double kPawnStep = 0.08;  // of a pawn's value, for each row it has gone
constexpr double kInHand = 0.97;    // of a piece's value while it is in reserve or deck
constexpr int kImpasseFrom = 32;    // plies on the clock from which the impasse counts

}  // namespace

void Material::set_table(const ScoringTable& table) {
  table_ = table;
  const double army = army_value(table);
  per_unit_ = army > 0 ? kSteepness / army : 0;
}

double Material::strength(const Position& position, Color color) const {
  int steps = 0;
  for (Bitboard pawns = position.pieces(color, PieceType::kPawn); pawns != 0;) {
    const int rank = rank_of(pop_first(pawns));
    steps += color == Color::kWhite ? rank - 1 : 6 - rank;
  }
  return material(position, color, table_.material, kInHand) +
         table_.material[0] * kPawnStep * steps;
}

double Material::value_stm(const Position& position) const {
  const Color mover = position.side_to_move();
  const double lead = strength(position, mover) - strength(position, ~mover);
  const double value = std::tanh(lead * per_unit_);
  const int clock = position.halfmove_clock();
  if (clock < kImpasseFrom) return value;
  const double nearness = std::pow(clock / double{Position::kImpasseClock}, 4);
  const double impasse = rules::value_stm(table_.white_points(position.impasse(table_)), mover);
  return (1 - nearness) * value + nearness * impasse;
}

}  // namespace tactics
