#pragma once
// Where generated moves go, and which of them are wanted: arguments of the generator's templates
// (movegen.cpp).

#include <array>
#include <bit>

#include "rules/attacks.h"
#include "rules/move_list.h"
#include "rules/position.h"

namespace rules {

// Sinks take sets of arrival squares. What pawns on their last row may become is a set of bits: 1
// for a knight, 2 a bishop, 4 a rook, 8 a queen; empty: they stay pawns.
constexpr unsigned kAnyPromotion = 15;
struct Counter {
  int count = 0;
  void placements(PieceType, Bitboard to) { count += std::popcount(to); }
  void entry(Move) { ++count; }
  void from_square(Square, Bitboard to) { count += std::popcount(to); }
  void pawns(int, Bitboard to) { count += std::popcount(to); }
  void promotions(int, Bitboard to, unsigned kinds) {
    count += (kinds == 0 ? 1 : std::popcount(kinds)) * std::popcount(to);
  }
};

struct AnyMove {
  bool found = false;
  void placements(PieceType, Bitboard to) { found |= to != 0; }
  void entry(Move) { found = true; }
  void from_square(Square, Bitboard to) { found |= to != 0; }
  void pawns(int, Bitboard to) { found |= to != 0; }
  void promotions(int, Bitboard to, unsigned) { found |= to != 0; }
};

constexpr Bitboard kLastRanks = rank_bb(0) | rank_bb(7);

struct Lister {
  MoveList& out;
  void placements(PieceType piece, Bitboard to) {
    while (to) out.push_back(Move::placement(piece, pop_first(to)));
  }
  void entry(Move move) { out.push_back(move); }
  void from_square(Square from, Bitboard to) {
    while (to) out.push_back(Move::board(from, pop_first(to)));
  }
  // Pawns that arrive on `to` from `step` squares behind; on the last row they become queens.
  [[gnu::always_inline]] void pawns(int step, Bitboard to) {
    while (to) {
      const Square t = pop_first(to);
      const Square from = static_cast<Square>(index(t) - step);
      out.push_back(bit(t) & kLastRanks ? Move::promotion(from, t, PieceType::kQueen)
                                        : Move::board(from, t));
    }
  }
  void promotions(int step, Bitboard to, unsigned kinds) {
    while (to) {
      const Square t = pop_first(to);
      const Square from = static_cast<Square>(index(t) - step);
      if (kinds == 0) out.push_back(Move::board(from, t));
      for (const PieceType type : kPromotionTypes) {
        if (kinds >> (index(type) - 1) & 1) out.push_back(Move::promotion(from, t, type));
      }
    }
  }
};

// Which of the generated moves are wanted: here all. A filter sees the same sets as a sink.
struct Everything {
  static Bitboard placements(PieceType, Bitboard to) { return to; }
  static bool entry(Move) { return true; }
  static Bitboard from_square(Square, Bitboard to) { return to; }
  static Bitboard king(Bitboard to) { return to; }
  static Bitboard pawns(int, Bitboard to) { return to; }
  static bool en_passant(Square, Square) { return true; }
};

// Those that take something or promote.
struct Noisy {
  Bitboard enemy;
  static Bitboard placements(PieceType, Bitboard) { return 0; }
  static bool entry(Move) { return false; }
  Bitboard from_square(Square, Bitboard to) const { return to & enemy; }
  Bitboard king(Bitboard to) const { return to & enemy; }
  Bitboard pawns(int, Bitboard to) const { return to & (enemy | kLastRanks); }
  static bool en_passant(Square, Square) { return true; }
};

// Quiet ones of pieces on `from`, or onto squares of their type in `to`.
struct Towards {
  const Position& position;
  Bitboard empty, from;
  const std::array<Bitboard, kPieceTypes>& to;
  Bitboard wanted(PieceType type) const { return to[static_cast<std::size_t>(index(type))]; }
  Bitboard placements(PieceType type, Bitboard free) const { return free & wanted(type); }
  static bool entry(Move) { return true; }
  Bitboard from_square(Square left, Bitboard reach) const {
    return reach & empty & (from & bit(left) ? ~Bitboard{0} : wanted(*position.piece_at(left)));
  }
  Bitboard king(Bitboard reach) const {
    const Bitboard kings = position.pieces(position.side_to_move(), PieceType::kKing);
    return reach & empty & (from & kings ? ~Bitboard{0} : wanted(PieceType::kKing));
  }
  Bitboard pawns(int step, Bitboard reach) const {
    const Bitboard arrived = step > 0 ? from << step : from >> -step;
    return reach & empty & ~kLastRanks & (wanted(PieceType::kPawn) | arrived);
  }
  static bool en_passant(Square, Square) { return false; }
};

}  // namespace rules
