#pragma once
// How good quiet moves have been in an alpha-beta search: by what it orders and reduces them.

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "rules/position.h"
#include "tactics/move_order.h"
#include "tactics/search_constants.h"

namespace tactics {

// A history counter with gravity: a bonus moves it towards +-kHistoryMost, the less the nearer it
// is. Of two threads that add at once one may be lost.
class HistoryEntry {
 public:
  int value() const { return value_.load(std::memory_order_relaxed); }
  void add(int bonus) {
    const int before = value();
    set(before + bonus - before * std::abs(bonus) / kHistoryMost);
  }
  void clear() { set(0); }

 private:
  void set(int value) { value_.store(static_cast<std::int16_t>(value), std::memory_order_relaxed); }

  std::atomic<std::int16_t> value_{0};
};

// How often quiet moves were best: by side, squares left and arrived at; and as an answer to the
// moves one and two plies before.
class Histories {
 public:
  using Followers = std::array<HistoryEntry, kPieceTos>;

  void clear() {
    for (HistoryEntry& each : moves_) each.clear();
    for (auto& captured : captures_) {
      for (HistoryEntry& each : captured) each.clear();
    }
    for (Followers& followers : after_) {
      for (HistoryEntry& each : followers) each.clear();
    }
  }
  // The answers to a move that brought a piece to its square; kPieceTos: after no move.
  Followers& after(std::size_t before) { return after_[before]; }
  // Captures, by the piece that arrives (piece_to()) and what it takes; nothing taken: king.
  HistoryEntry& of_capture(std::size_t to, rules::PieceType captured) {
    return captures_[to][static_cast<std::size_t>(index(captured))];
  }
  HistoryEntry& of(rules::Color side, rules::Move move) {
    return moves_[static_cast<std::size_t>(index(side)) * kMoves + (move.raw() & (kMoves - 1))];
  }

 private:
  static constexpr std::size_t kMoves = 1 << 13;  // squares, and whether it is a placement
  std::array<HistoryEntry, 2 * kMoves> moves_{};
  std::array<std::array<HistoryEntry, rules::kPieceTypes>, kPieceTos> captures_{};
  std::array<Followers, kPieceTos + 1> after_{};
};

}  // namespace tactics
