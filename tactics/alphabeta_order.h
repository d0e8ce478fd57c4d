#pragma once
// What an alpha-beta search has learned of moves, and the order in which it tries them.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "rules/move_list.h"
#include "rules/position.h"
#include "tactics/move_order.h"

namespace tactics {

// A history counter with gravity: a bonus moves it towards +-kMost, the less the nearer it is. Of
// two threads that add at once one may be lost.
class Tendency {
 public:
  static constexpr int kMost = 16384;
  int value() const { return value_.load(std::memory_order_relaxed); }
  void add(int bonus) {
    const int before = value();
    set(before + bonus - before * std::abs(bonus) / kMost);
  }
  void clear() { set(0); }

 private:
  void set(int value) { value_.store(static_cast<std::int16_t>(value), std::memory_order_relaxed); }

  std::atomic<std::int16_t> value_{0};
};

// The piece that a move brings to its square: what later moves are remembered by.
inline std::size_t piece_to(const rules::Position& position, rules::Move move) {
  return static_cast<std::size_t>(
      (index(position.side_to_move()) * rules::kPieceTypes + index(piece_of(position, move))) * 64 +
      index(move.to()));
}
inline constexpr std::size_t kPieceTos = 2 * rules::kPieceTypes * 64;

// How often quiet moves were best: by side, squares left and arrived at; and as an answer to the
// moves one and two plies before.
class Histories {
 public:
  using Followers = std::array<Tendency, kPieceTos>;

  void clear() {
    for (Tendency& each : moves_) each.clear();
    for (Followers& followers : after_) {
      for (Tendency& each : followers) each.clear();
    }
  }
  // The answers to a move that brought a piece to its square; kPieceTos: after no move.
  Followers& after(std::size_t before) { return after_[before]; }
  Tendency& of(rules::Color side, rules::Move move) {
    return moves_[static_cast<std::size_t>(index(side)) * kMoves + (move.raw() & (kMoves - 1))];
  }

 private:
  static constexpr std::size_t kMoves = 1 << 13;  // squares, and whether it is a placement
  std::array<Tendency, 2 * kMoves> moves_{};
  std::array<Followers, kPieceTos + 1> after_{};
};

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
