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
  void decay(int percent) { set(value() * percent / 100); }

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
    for_each([](HistoryEntry& each) { each.clear(); });
  }
  void decay(int percent) {
    for_each([percent](HistoryEntry& each) { each.decay(percent); });
  }
  // Quiet moves by where the pawns stand.
  Followers& with_pawns(const rules::Position& position) {
    const auto pawns = [&](rules::Color side) {
      return position.pieces(side, rules::PieceType::kPawn);
    };
    const std::uint64_t mixed =
        (pawns(rules::Color::kWhite) * 0x9e3779b97f4a7c15 ^ pawns(rules::Color::kBlack)) *
        0xbf58476d1ce4e5b9;
    return pawns_[mixed >> 54];
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
  template <class Do>
  void for_each(Do act) {
    for (HistoryEntry& each : moves_) act(each);
    for (auto& captured : captures_) {
      for (HistoryEntry& each : captured) act(each);
    }
    for (Followers& followers : after_) {
      for (HistoryEntry& each : followers) act(each);
    }
    if (kPawnHistory == 0) return;
    for (Followers& followers : pawns_) {
      for (HistoryEntry& each : followers) act(each);
    }
  }

  static constexpr std::size_t kMoves = 1 << 13;  // squares, and whether it is a placement
  std::array<HistoryEntry, 2 * kMoves> moves_{};
  std::array<std::array<HistoryEntry, rules::kPieceTypes>, kPieceTos> captures_{};
  std::array<Followers, kPieceTos + 1> after_{};
  std::array<Followers, 1024> pawns_{};
};

}  // namespace tactics
