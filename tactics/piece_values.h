#pragma once

#include <array>

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

// The values under the scoring table, scaled so that a whole army weighs what it does under
// kPieceValues: the default table's are kPieceValues.
PieceValues piece_values(const rules::ScoringTable& table);

}  // namespace tactics
