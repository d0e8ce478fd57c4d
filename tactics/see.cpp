#include "tactics/see.h"

#include <algorithm>
#include <array>

#include "rules/attacks.h"

namespace tactics {
namespace {

using namespace rules;

constexpr std::array<PieceType, kPieceTypes> kCheapestFirst{PieceType::kPawn,   PieceType::kKnight,
                                                            PieceType::kBishop, PieceType::kRook,
                                                            PieceType::kQueen,  PieceType::kKing};

Bitboard of_type(const Position& position, PieceType type) {
  return position.pieces(Color::kWhite, type) | position.pieces(Color::kBlack, type);
}

// Pieces of both sides that attack the square, through what is not in `occupied`.
Bitboard attackers(const Position& position, Square to, Bitboard occupied) {
  const Bitboard queens = of_type(position, PieceType::kQueen);
  const Bitboard pawns =
      (pawn_attacks(Color::kBlack, bit(to)) & position.pieces(Color::kWhite, PieceType::kPawn)) |
      (pawn_attacks(Color::kWhite, bit(to)) & position.pieces(Color::kBlack, PieceType::kPawn));
  return (pawns | (knight_attacks(to) & of_type(position, PieceType::kKnight)) |
          (king_attacks(to) & of_type(position, PieceType::kKing)) |
          (bishop_attacks(to, occupied) & (of_type(position, PieceType::kBishop) | queens)) |
          (rook_attacks(to, occupied) & (of_type(position, PieceType::kRook) | queens))) &
         occupied;
}

}  // namespace

int static_exchange(const Position& position, Color color, Square from, Square to,
                    const PieceValues& values) {
  // gains[n]: what the side that makes capture n has won by then, if the captures end with it.
  std::array<int, 32> gains;
  std::size_t count = 0;
  Bitboard occupied = position.occupied();
  Bitboard capturer = bit(from);
  PieceType moving = *position.piece_at(from);
  gains[0] = value_of(values, *position.piece_at(to));
  for (Color side = color;;) {
    occupied &= ~capturer;
    side = ~side;
    if (!position.men_may_move(side)) break;
    const Bitboard able = attackers(position, to, occupied) & position.pieces(side);
    if (!able || count + 1 == gains.size()) break;
    ++count;
    gains[count] = value_of(values, moving) - gains[count - 1];
    for (const PieceType type : kCheapestFirst) {
      capturer = able & position.pieces(side, type);
      capturer &= ~capturer + 1;
      moving = type;
      if (capturer) break;
    }
  }
  for (; count > 0; --count) gains[count - 1] = -std::max(-gains[count - 1], gains[count]);
  return gains[0];
}

WinningCaptures winning_captures(const Position& position, Color color, const PieceValues& values) {
  WinningCaptures found;
  if (!position.men_may_move(color)) return found;
  for (Bitboard enemies = position.pieces(~color); enemies;) {
    const Square to = pop_first(enemies);
    int most = 0;
    for (Bitboard able = attackers(position, to, position.occupied()) & position.pieces(color);
         able;) {
      const Square from = pop_first(able);
      const int won = static_exchange(position, color, from, to, values);
      if (won <= 0) continue;
      found.from |= bit(from);
      most = std::max(most, won);
    }
    if (most > 0) found.targets |= bit(to);
    if (most > 0 && most >= value_of(values, PieceType::kKnight)) found.large |= bit(to);
    found.second = std::max(found.second, std::min(found.best, most));
    found.best = std::max(found.best, most);
  }
  return found;
}

}  // namespace tactics
