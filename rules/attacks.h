#pragma once
// What pieces attack, on bitboards. The tables are built before main() and before any other object
// of the program (init_priority), so that constants may be positions.

#include <array>
#include <cstddef>
#include <cstdint>

#include "rules/types.h"

namespace rules {

// Sets of squares one step away, for a whole set at once.
constexpr Bitboard north(Bitboard b) { return b << 8; }
constexpr Bitboard south(Bitboard b) { return b >> 8; }
constexpr Bitboard east(Bitboard b) { return (b & ~file_bb(7)) << 1; }
constexpr Bitboard west(Bitboard b) { return (b & ~file_bb(0)) >> 1; }
// One step towards the colour's last rank.
constexpr Bitboard forward(Color c, Bitboard b) { return c == Color::kWhite ? north(b) : south(b); }

// Attacks of a set of pawns towards the a-file and towards the h-file.
struct PawnAttackSides {
  Bitboard left, right;
};
constexpr PawnAttackSides pawn_attack_sides(Color color, Bitboard pawns) {
  const Bitboard ahead = forward(color, pawns);
  return {west(ahead), east(ahead)};
}
// Attacks of a whole set of such pieces.
constexpr Bitboard pawn_attacks(Color color, Bitboard pawns) {
  const auto [left, right] = pawn_attack_sides(color, pawns);
  return left | right;
}
constexpr Bitboard knight_attacks(Bitboard b) {
  const Bitboard one = west(b) | east(b);
  const Bitboard two = west(west(b)) | east(east(b));
  return one << 16 | one >> 16 | two << 8 | two >> 8;
}
constexpr Bitboard king_attacks(Bitboard b) {
  const Bitboard row = b | west(b) | east(b);
  return (row | north(row) | south(row)) ^ b;
}

namespace detail {

// One square's slider attacks, in a table indexed by the relevant part of the occupancy.
struct SliderEntry {
  const Bitboard* attacks;
  Bitboard mask;
  std::uint64_t magic;
  unsigned shift;
  std::size_t index(Bitboard occupied) const { return ((occupied & mask) * magic) >> shift; }
};

struct Tables {
  std::array<SliderEntry, 64> bishop, rook;
  std::array<Bitboard, 64> knight, king;
  std::array<std::array<Bitboard, 64>, 64> between, line;
  Tables();
};
extern const Tables kTables;

constexpr std::size_t at(Square s) { return static_cast<std::size_t>(s); }

}  // namespace detail

// Attacks of one piece. Sliders see through nothing in `occupied`; the first piece on a ray is
// attacked.
inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
  const auto& entry = detail::kTables.bishop[detail::at(s)];
  return entry.attacks[entry.index(occupied)];
}
inline Bitboard rook_attacks(Square s, Bitboard occupied) {
  const auto& entry = detail::kTables.rook[detail::at(s)];
  return entry.attacks[entry.index(occupied)];
}
inline Bitboard queen_attacks(Square s, Bitboard occupied) {
  return bishop_attacks(s, occupied) | rook_attacks(s, occupied);
}
inline Bitboard knight_attacks(Square s) { return detail::kTables.knight[detail::at(s)]; }
inline Bitboard king_attacks(Square s) { return detail::kTables.king[detail::at(s)]; }
// REQUIRES: not a pawn.
inline Bitboard attacks_from(PieceType type, Square s, Bitboard occupied) {
  switch (type) {
    case PieceType::kKnight:
      return knight_attacks(s);
    case PieceType::kBishop:
      return bishop_attacks(s, occupied);
    case PieceType::kRook:
      return rook_attacks(s, occupied);
    case PieceType::kQueen:
      return queen_attacks(s, occupied);
    default:
      return king_attacks(s);
  }
}

// The squares strictly between two on one row, file or diagonal; else empty.
inline Bitboard between(Square a, Square b) {
  return detail::kTables.between[detail::at(a)][detail::at(b)];
}
// The whole row, file or diagonal through two different squares; else empty.
inline Bitboard line(Square a, Square b) {
  return detail::kTables.line[detail::at(a)][detail::at(b)];
}

}  // namespace rules
