#pragma once
// Every margin, reduction and limit of AlphaBetaSearch, by feature. Unless said otherwise: scores
// and margins are in units of a score (score.h), depths and reductions in plies, and a depth is
// what is left to search.

#include <cstddef>
#include <cstdint>

// What scripts/sprt.py, screen.py and spsa.py may set: a constant, but in a build of its own
// (SHARPZERO_TUNE), where the environment can name another value.
#ifdef SHARPZERO_TUNE
#include "tactics/tuned.h"
#define TUNABLE(type, name, value) inline const type name = tuned<type>(#name, value)
#else
#define TUNABLE(type, name, value) inline constexpr type name = value
#endif

namespace tactics {

// Bounds of the search.
inline constexpr int kMaxSearchPly = 120;            // from the root
inline constexpr std::uint64_t kNodesPerPoll = 256;  // nodes between two looks at the limits

// Scores.
inline constexpr double kScorePerLogOdds = 400;  // of the odds (1 + v) / (1 - v) of a value v
// A move that is worse than the best by so much is sampled e times as rarely.
inline constexpr double kSamplingSpread = 50;

// Time: the fraction of the soft limit that is enough for a move.
TUNABLE(double, kEnoughAtFirst, 0.78);          // while the best move has just changed
TUNABLE(double, kEnoughPerSteadyDepth, 0.048);  // less, for each depth it has stayed the best
TUNABLE(int, kMostSteadyDepths, 8);
TUNABLE(double, kEnoughPerScoreDrop, 0.6 / 250);  // more, for each unit that its score fell
TUNABLE(double, kMostForScoreDrop, 0.48);

// Aspiration windows.
TUNABLE(int, kAspirationLeastDepth, 4);
TUNABLE(int, kAspirationWidth, 40);  // to either side at first; doubled at each failure

// Reverse futility pruning: the improved evaluation is above beta by a margin for each depth.
TUNABLE(int, kReverseFutilityMostDepth, 7);
TUNABLE(int, kReverseFutilityMargin, 190);

// Razoring: the improved evaluation is so far below alpha that quiescence search decides.
TUNABLE(int, kRazoringMostDepth, 3);
TUNABLE(int, kRazoringMargin, 500);
TUNABLE(int, kRazoringMarginPerDepth, 500);

// Null move.
TUNABLE(int, kNullMoveLeastDepth, 3);
TUNABLE(int, kNullMoveMostClock, 88);  // plies; later it might run into the impasse
TUNABLE(int, kNullMoveReduction, 4);
TUNABLE(int, kNullMoveDepthPerPly, 4);     // of depth, for one more ply of reduction
TUNABLE(int, kNullMoveMarginPerPly, 300);  // above beta, for one more ply of reduction
TUNABLE(int, kNullMoveMostForMargin, 3);

// Internal iterative reduction: a ply less without a move from the transposition table.
TUNABLE(int, kInternalReductionLeastDepth, 4);

// Late move pruning: quiet moves behind the first kLateMoveBase + depth^2, half of them where the
// evaluation is not improving.
TUNABLE(int, kLateMoveMostDepth, 8);
TUNABLE(int, kLateMoveBase, 3);

// Futility pruning of quiet moves.
TUNABLE(int, kFutilityMostDepth, 7);
TUNABLE(int, kFutilityMargin, 300);
TUNABLE(int, kFutilityMarginPerDepth, 230);

// Pruning by history: quiet moves whose sum of history entries is below this for each depth.
TUNABLE(int, kHistoryPruningMostDepth, 4);
TUNABLE(int, kHistoryPruningPerDepth, -4000);

// Pruning of captures that lose material by SEE, and of quiet moves that lose more than so many
// centipawns for each depth.
TUNABLE(int, kSeePruningMostDepth, 3);
TUNABLE(int, kSeeQuietMostDepth, 6);
TUNABLE(int, kSeeQuietPerDepth, 60);

// Late move reductions: base + log(depth) * log(move number) / divisor, corrected.
TUNABLE(int, kLateReductionLeastDepth, 3);
TUNABLE(int, kLateReductionFirstMove, 2);    // the first that is reduced, counted from 1
TUNABLE(int, kLateReductionFirstMovePv, 3);  // the same in an open window
TUNABLE(double, kLateReductionBase, 0.8);
TUNABLE(double, kLateReductionDivisor, 2.1);
TUNABLE(int, kLateReductionHistory, 8000);  // sum of history entries for a ply less
TUNABLE(int, kLateReductionMostForHistory, 2);
TUNABLE(int, kRootReductionLeastDepth, 3);
TUNABLE(std::size_t, kRootReductionFirstMove, 3);  // number of moves before it

// Extensions: in check, and of a singular move, which alone is near its score in the transposition
// table.
TUNABLE(int, kExtensionMostPlies, 2);  // from the root, in multiples of the iteration
TUNABLE(int, kSingularLeastDepth, 6);
TUNABLE(int, kSingularTableDepth, 3);      // at most so much less deep is the table's entry
TUNABLE(int, kSingularMarginPerDepth, 3);  // below the entry's score

// Quiescence search: a capture that cannot come near alpha is left out.
TUNABLE(int, kDeltaMargin, 250);
TUNABLE(int, kOrderRoot, 0);
TUNABLE(int, kQuiesceMoves, 0);    // 0: all
TUNABLE(int, kQuietEvasions, 0);   // 0: all
TUNABLE(int, kDeltaPerCentipawn, 2);  // what a capture wins, as a score

// Order of moves.
TUNABLE(int, kCaptureHistory, 32);  // weight of a capture's history entry, in 1024ths
TUNABLE(int, kFollowFour, 50);      // of the entry as an answer four plies on, in hundredths
TUNABLE(int, kEscapeBonus,
        6000);  // for leaving the attack of something cheaper; less for entering one

// History entries.
inline constexpr int kHistoryMost = 16384;  // largest absolute value of an entry
TUNABLE(int, kHistoryBonusPerDepth, 160);
TUNABLE(int, kHistoryMostBonus, 1600);

// Transposition table.
// An entry of this search that is so much deeper than a new one stays, unless that one is exact.
TUNABLE(int, kTableKeepsDeeper, 3);
TUNABLE(int, kTableDepthPerAge, 4);  // depth by which an entry counts less a search later
// From the first clock (in plies) on the key holds the clock, in steps up to the second.
inline constexpr int kKeyClockFrom = 20;
inline constexpr int kKeyClockExactFrom = 84;
inline constexpr int kKeyClockStep = 8;

// Moves that another thread is searching (MovesInProgress) are left for later.
inline constexpr int kDeferLeastDepth = 3;          // below, asking costs more than it saves
inline constexpr std::size_t kDeferMostMoves = 32;  // of one position

}  // namespace tactics
