#pragma once
// Piece values from games: a game's points regressed on the pieces of both sides.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "rules/position.h"
#include "studies/estimates.h"

namespace studies {

// What is counted, White's less Black's: pieces on the board (pawn … queen), pieces in reserve
// (knight … queen, king), and whose turn it is (1 White's, -1 Black's).
inline constexpr auto kMaterialNames = std::to_array<std::string_view>(
    {"pawn", "knight", "bishop", "rook", "queen", "knight in reserve", "bishop in reserve",
     "rook in reserve", "queen in reserve", "king in reserve", "the turn"});
using Material = std::array<double, kMaterialNames.size()>;
Material material_of(const rules::Position& position);

// Parts of a game: while a side still has pieces in reserve, then as long as both together have
// more than six pieces beside kings and pawns, then to the end.
enum class Phase { kPlacing, kMiddle, kEnding };
inline constexpr auto kPhaseNames =
    std::to_array<std::string_view>({"placing", "middle", "ending"});
Phase phase_of(const rules::Position& position);

// A position of a game that ended with these points for White.
struct MaterialSample {
  std::uint64_t cluster = 0;
  Phase phase = Phase::kPlacing;
  Material material{};
  double points_white = 0;
  double weight = 1;
};

// What one more of a kind is worth, everything else being equal.
struct PieceValue {
  arena::Estimate elo;            // as if the player were so much stronger
  arena::Estimate points;         // of ten, from an even game on
  arena::Estimate with_knight_3;  // in proportion to a knight on the board, which is 3
};
// Logistic regression of points / 10 (a share, so a fractional logit: Papke and Wooldridge 1996),
// as points end at 0 and 10 while material goes on; with a constant, and a ridge as heavy as one
// game in which all differences are 1. Intervals by the bootstrap over clusters, one Newton step
// each. By kMaterialNames. REQUIRES: samples is not empty, all points lie in [0, 10].
std::vector<PieceValue> piece_values(std::span<const MaterialSample> samples, int rounds,
                                     base::Rng rng);

}  // namespace studies
