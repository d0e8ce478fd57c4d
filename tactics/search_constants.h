#pragma once
// Every margin, reduction and limit of AlphaBetaSearch, by feature. Unless said otherwise: scores
// and margins are in units of a score (score.h), depths and reductions in plies, and a depth is
// what is left to search.

#include <cstddef>
#include <cstdint>

namespace tactics {

// Bounds of the search.
inline constexpr int kMaxSearchPly = 120;            // from the root
inline constexpr std::uint64_t kNodesPerPoll = 256;  // nodes between two looks at the limits

// Scores.
inline constexpr double kScorePerLogOdds = 400;  // of the odds (1 + v) / (1 - v) of a value v
// A move that is worse than the best by so much is sampled e times as rarely.
inline constexpr double kSamplingSpread = 50;

// Time: the fraction of the soft limit that is enough for a move.
inline constexpr double kEnoughAtFirst = 0.78;  // while the best move has just changed
inline constexpr double kEnoughPerSteadyDepth =
    0.048;  // less, for each depth it has stayed the best
inline constexpr int kMostSteadyDepths = 8;
inline constexpr double kEnoughPerScoreDrop = 0.6 / 250;  // more, for each unit that its score fell
inline constexpr double kMostForScoreDrop = 0.48;

// Aspiration windows.
inline constexpr int kAspirationLeastDepth = 4;
inline constexpr int kAspirationWidth = 40;  // to either side at first; doubled at each failure

// Reverse futility pruning: the improved evaluation is above beta by a margin for each depth.
inline constexpr int kReverseFutilityMostDepth = 7;
inline constexpr int kReverseFutilityMargin = 190;

// Razoring: the improved evaluation is so far below alpha that quiescence search decides.
inline constexpr int kRazoringMostDepth = 3;
inline constexpr int kRazoringMargin = 400;
inline constexpr int kRazoringMarginPerDepth = 500;

// Null move.
inline constexpr int kNullMoveLeastDepth = 3;
inline constexpr int kNullMoveMostClock = 88;  // plies; later it might run into the impasse
inline constexpr int kNullMoveReduction = 3;
inline constexpr int kNullMoveDepthPerPly = 4;     // of depth, for one more ply of reduction
inline constexpr int kNullMoveMarginPerPly = 300;  // above beta, for one more ply of reduction
inline constexpr int kNullMoveMostForMargin = 3;

// Internal iterative reduction: a ply less without a move from the transposition table.
inline constexpr int kInternalReductionLeastDepth = 4;

// Late move pruning: quiet moves behind the first kLateMoveBase + depth^2, half of them where the
// evaluation is not improving.
inline constexpr int kLateMoveMostDepth = 8;
inline constexpr int kLateMoveBase = 3;

// Futility pruning of quiet moves.
inline constexpr int kFutilityMostDepth = 7;
inline constexpr int kFutilityMargin = 300;
inline constexpr int kFutilityMarginPerDepth = 270;

// Pruning by history: quiet moves whose sum of history entries is below this for each depth.
inline constexpr int kHistoryPruningMostDepth = 4;
inline constexpr int kHistoryPruningPerDepth = -4000;

// Pruning of captures that lose material by SEE.
inline constexpr int kSeePruningMostDepth = 3;

// Late move reductions: base + log(depth) * log(move number) / divisor, corrected.
inline constexpr int kLateReductionLeastDepth = 3;
inline constexpr int kLateReductionFirstMove = 2;    // the first that is reduced, counted from 1
inline constexpr int kLateReductionFirstMovePv = 3;  // the same in an open window
inline constexpr double kLateReductionBase = 0.8;
inline constexpr double kLateReductionDivisor = 2.1;
inline constexpr int kLateReductionHistory = 10000;  // sum of history entries for a ply less
inline constexpr int kLateReductionMostForHistory = 2;
inline constexpr int kRootReductionLeastDepth = 3;
inline constexpr std::size_t kRootReductionFirstMove = 3;  // number of moves before it

// Extensions: in check, and of a singular move, which alone is near its score in the transposition
// table.
inline constexpr int kExtensionMostPlies = 2;  // from the root, in multiples of the iteration
inline constexpr int kSingularLeastDepth = 7;
inline constexpr int kSingularTableDepth = 3;      // at most so much less deep is the table's entry
inline constexpr int kSingularMarginPerDepth = 3;  // below the entry's score

// Quiescence search: a capture that cannot come near alpha is left out.
inline constexpr int kDeltaMargin = 250;
inline constexpr int kDeltaPerCentipawn = 2;  // what a capture wins, as a score

// History entries.
inline constexpr int kHistoryMost = 16384;  // largest absolute value of an entry
inline constexpr int kHistoryBonusPerDepth = 160;
inline constexpr int kHistoryMostBonus = 1600;

// Transposition table.
inline constexpr int kTableDepthPerAge = 4;  // depth by which an entry counts less a search later
// From the first clock (in plies) on the key holds the clock, in steps up to the second.
inline constexpr int kKeyClockFrom = 20;
inline constexpr int kKeyClockExactFrom = 84;
inline constexpr int kKeyClockStep = 8;

// Moves that another thread is searching (MovesInProgress) are left for later.
inline constexpr int kDeferLeastDepth = 3;          // below, asking costs more than it saves
inline constexpr std::size_t kDeferMostMoves = 32;  // of one position

}  // namespace tactics
