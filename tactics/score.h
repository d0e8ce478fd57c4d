#pragma once
// What AlphaBetaSearch compares: values as integers, and wins by their distance.

#include <algorithm>
#include <cmath>

#include "tactics/search_constants.h"

namespace tactics {

// Scores order positions in integers: kScorePerLogOdds times the natural logarithm of the odds
// (1 + v) / (1 - v) of the value v, so that the same step counts alike in even and in won
// positions. A sure win in n plies is kWinScore - n.
inline constexpr int kWinScore = 31000;
inline constexpr int kInfiniteScore = 32000;
inline constexpr int kSurestScore = 8000;  // the largest that proves nothing
inline constexpr int kDecidedScore =
    kWinScore - 1000;  // scores beyond are wins and losses in n plies
// A win that a tablebase knows, nobody says in how many plies: less the plies until it is reached.
inline constexpr int kKnownWinScore = 20000;

inline int score_of(double value_stm) {
  if (std::abs(value_stm) >= 1) return value_stm > 0 ? kSurestScore : -kSurestScore;
  const double score = kScorePerLogOdds * std::log((1 + value_stm) / (1 - value_stm));
  return static_cast<int>(std::lround(std::clamp<double>(score, -kSurestScore, kSurestScore)));
}

// In [-1, 1]; 1 and -1 only where a win is claimed, never of an estimate.
inline double value_of(int score) {
  constexpr double kMostExpected = 0.9999;
  constexpr int kClaimed = kKnownWinScore - 1000;
  if (score > kClaimed) return 1;
  if (score < -kClaimed) return -1;
  return std::clamp(std::tanh(score / (2 * kScorePerLogOdds)), -kMostExpected, kMostExpected);
}

}  // namespace tactics
