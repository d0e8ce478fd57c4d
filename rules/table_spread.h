#pragma once
// Scoring tables drawn around another: what self-play varies, and what int8 is calibrated for.

#include "base/rng.h"
#include "rules/outcome.h"

namespace rules {

// How far drawn tables lie from the one they are drawn around: standard deviations.
struct TableSpread {
  double stalemates = 0;  // for the points of each stalemate, 0 to 10
  double impasses = 0;    // for the points of each impasse
  double material = 0;    // for the logarithm of each piece value
};
inline constexpr TableSpread kNearTables{0.5, 0.5, 0.08}, kWideTables{2.5, 2.5, 0.3};

// A table drawn around `own`. The points of the graded outcomes move between those of the outcomes
// that stay: loss, win and whatever has no spread; then all seven are put in order. Piece values
// change too, the pawn's, their unit, only if `pawn_too`. Draws the same number of random numbers
// for every spread.
ScoringTable drawn_around(const ScoringTable& own, const TableSpread& spread, bool pawn_too,
                          base::Rng& rng);

}  // namespace rules
