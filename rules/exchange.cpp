#include "rules/exchange.h"

#include <algorithm>
#include <bit>

#include "rules/attacks.h"

namespace rules {
namespace {

constexpr std::array<PieceType, kPieceTypes> kCheapestFirst{PieceType::kPawn,   PieceType::kKnight,
                                                            PieceType::kBishop, PieceType::kRook,
                                                            PieceType::kQueen,  PieceType::kKing};

int value(PieceType type) { return kExchangeValue[static_cast<std::size_t>(index(type))]; }

Bitboard of_type(const Position& position, PieceType type) {
  return position.pieces(Color::kWhite, type) | position.pieces(Color::kBlack, type);
}

// Men of both sides that attack the square, through what is not in `occupied`.
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

int exchange(const Position& position, Color color, Square from, Square to) {
  // gains[n]: what the side that makes capture n has won by then, if the captures end with it.
  std::array<int, 32> gains;
  std::size_t count = 0;
  Bitboard occupied = position.occupied();
  Bitboard capturer = bit(from);
  PieceType moving = *position.piece_at(from);
  gains[0] = value(*position.piece_at(to));
  for (Color side = color;;) {
    occupied &= ~capturer;
    side = ~side;
    if (!position.men_may_move(side)) break;
    const Bitboard able = attackers(position, to, occupied) & position.pieces(side);
    if (!able || count + 1 == gains.size()) break;
    ++count;
    gains[count] = value(moving) - gains[count - 1];
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

WinningCaptures winning_captures(const Position& position, Color color) {
  WinningCaptures found;
  if (!position.men_may_move(color)) return found;
  for (Bitboard enemies = position.pieces(~color); enemies;) {
    const Square to = pop_first(enemies);
    int most = 0;
    for (Bitboard able = attackers(position, to, position.occupied()) & position.pieces(color);
         able;) {
      const Square from = pop_first(able);
      const int won = exchange(position, color, from, to);
      if (won <= 0) continue;
      found.from |= bit(from);
      most = std::max(most, won);
    }
    if (most > 0) found.targets |= bit(to);
    if (most >= value(PieceType::kKnight)) found.large |= bit(to);
    found.second = std::max(found.second, std::min(found.best, most));
    found.best = std::max(found.best, most);
  }
  return found;
}

}  // namespace rules
