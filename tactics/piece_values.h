#pragma once

#include <array>
#include <cmath>

#include "rules/outcome.h"
#include "rules/types.h"

namespace tactics {

// Values of pieces in centipawns, by PieceType: pawn, knight, bishop, rook, queen, king. The king's
// is for exchanges alone: more than any piece that he could be taken for.
using PieceValues = std::array<int, rules::kPieceTypes>;
inline constexpr PieceValues kPieceValues{100, 300, 300, 500, 900, 5000};

constexpr int value_of(const PieceValues& values, rules::PieceType type) {
  return values[static_cast<std::size_t>(index(type))];
}

// What a whole army is worth under the scoring table.
inline double army_value(const rules::ScoringTable& table) {
  double army = 0;
  for (std::size_t i = 0; i < table.material.size(); ++i) {
    army += rules::kAtStart[i] * table.material[i];
  }
  return army;
}

// The values under the scoring table, scaled so that a whole army weighs what it does under
// kPieceValues: the default table's are kPieceValues.
inline PieceValues piece_values(const rules::ScoringTable& table) {
  constexpr double kArmyWeight = 3900;
  const double army = army_value(table);
  PieceValues values = kPieceValues;
  for (std::size_t i = 0; i < table.material.size(); ++i) {
    values[i] =
        army > 0 ? static_cast<int>(std::lround(table.material[i] / army * kArmyWeight)) : 0;
  }
  return values;
}

}  // namespace tactics
