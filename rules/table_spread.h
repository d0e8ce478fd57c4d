#pragma once
// Scoring tables drawn around another: what self-play varies, and what int8 is calibrated for.

#include "base/rng.h"
#include "rules/outcome.h"

namespace rules {

// How far drawn tables lie from the one they are drawn around: standard deviations.
struct TableSpread {
  double points = 0;    // for each outcome's points, 0 to 10
  double material = 0;  // for the logarithm of each piece value
};
inline constexpr TableSpread kNearTables{0.5, 0.08}, kWideTables{2.5, 0.3};

// A table drawn around `own`. The points of the five graded outcomes move, within 0 … 10, and all
// seven are put in order: who takes the king wins all ten under every table. Piece values change
// too, the pawn's, their unit, only if `pawn_too`. Draws the same number of random numbers for
// every spread.
ScoringTable drawn_around(const ScoringTable& own, const TableSpread& spread, bool pawn_too,
                          base::Rng& rng);

}  // namespace rules
