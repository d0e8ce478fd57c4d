#pragma once
// The order in which an alpha-beta search tries the moves of a position.

#include <algorithm>
#include <array>
#include <utility>

#include "rules/move_list.h"

namespace tactics {

// The moves of one position with scores, the best first.
class OrderedMoves {
 public:
  void add(rules::Move move, int score) {
    moves_[size_] = move;
    scores_[size_++] = score;
  }
  std::size_t size() const { return size_; }
  // Brings the best of the moves from i on to place i.
  rules::Move take(std::size_t i) {
    int best = scores_[i];
    for (std::size_t j = i + 1; j < size_; ++j) best = std::max(best, scores_[j]);
    exchange(i, first_of(best, i));
    return moves_[i];
  }
  // The same where only the first few matter: what has not been good so far is as good in any
  // order.
  rules::Move take_early(std::size_t i) {
    constexpr std::size_t kSorted = 6;
    return i < kSorted ? take(i) : moves_[i];
  }
  // Brings the moves of pieces on these squares to the front of those from i on.
  void prefer(rules::Bitboard from, std::size_t i) {
    const auto preferred = [&](std::size_t at) {
      return !moves_[at].is_placement() && (from & bit(moves_[at].from())) != 0;
    };
    for (std::size_t end = size_; i < end; ++i) {
      if (preferred(i)) continue;
      do --end;
      while (i < end && !preferred(end));
      exchange(i, end);
    }
  }
  rules::Move move(std::size_t i) const { return moves_[i]; }
  int score(std::size_t i) const { return scores_[i]; }

 private:
  // The first from i on with this score, looked for by vectors. REQUIRES: there is one.
  std::size_t first_of(int score, std::size_t i) const {
    constexpr std::size_t kAtOnce = 8;
    for (; i + kAtOnce <= size_; i += kAtOnce) {
      int found = 0;
      for (std::size_t j = 0; j < kAtOnce; ++j) found |= scores_[i + j] == score;
      if (found != 0) break;
    }
    while (scores_[i] != score) ++i;
    return i;
  }
  void exchange(std::size_t a, std::size_t b) {
    std::swap(moves_[a], moves_[b]);
    std::swap(scores_[a], scores_[b]);
  }

  std::size_t size_ = 0;
  union {  // not initialised; apart, so that a search for the best goes by vectors
    std::array<int, rules::MoveList::kCapacity> scores_;
  };
  union {
    std::array<rules::Move, rules::MoveList::kCapacity> moves_;
  };

 public:
  OrderedMoves() {}  // NOLINT(modernize-use-equals-default): leaves the moves uninitialised
};

// Scores of kinds of moves: all of a kind before all of the next.
namespace order {
inline constexpr int kFirst = 1 << 30;    // the transposition table's
inline constexpr int kWinning = 1 << 24;  // captures and promotions that lose nothing by SEE
inline constexpr int kKiller = 1 << 20;
inline constexpr int kLosing = -(1 << 24);  // captures that lose material
}  // namespace order

}  // namespace tactics
