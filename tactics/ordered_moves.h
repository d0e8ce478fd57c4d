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
  void add(rules::Move move, int score) { moves_[size_++] = {move, score}; }
  std::size_t size() const { return size_; }
  // Brings the best of the moves from i on to place i.
  rules::Move take(std::size_t i) {
    const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(i);
    std::iter_swap(begin, std::max_element(
                              begin, moves_.begin() + static_cast<std::ptrdiff_t>(size_),
                              [](const Scored& a, const Scored& b) { return a.score < b.score; }));
    return begin->move;
  }
  // The same where only the first few matter: what has not been good so far is as good in any
  // order.
  rules::Move take_early(std::size_t i) {
    constexpr std::size_t kSorted = 6;
    return i < kSorted ? take(i) : moves_[i].move;
  }
  // Brings the moves of pieces on these squares to the front of those from i on.
  void prefer(rules::Bitboard from, std::size_t i) {
    std::partition(moves_.begin() + static_cast<std::ptrdiff_t>(i),
                   moves_.begin() + static_cast<std::ptrdiff_t>(size_), [from](const Scored& each) {
                     return !each.move.is_placement() && (from & bit(each.move.from())) != 0;
                   });
  }
  rules::Move move(std::size_t i) const { return moves_[i].move; }
  int score(std::size_t i) const { return moves_[i].score; }

 private:
  struct Scored {
    rules::Move move;
    int score;
  };
  std::size_t size_ = 0;
  union {  // not initialised
    std::array<Scored, rules::MoveList::kCapacity> moves_;
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
