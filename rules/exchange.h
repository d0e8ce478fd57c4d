#pragma once
// What captures win on one square, when both sides go on taking there with their cheapest men.

#include <array>

#include "rules/position.h"

namespace rules {

// By PieceType: pawn, knight, bishop, rook, queen, king. A measure for exchanges alone; what a game
// pays is in the ScoringTable.
inline constexpr std::array<int, kPieceTypes> kExchangeValue{1, 3, 3, 5, 9, 50};

// What `color` wins by its best line of captures on `to`, begun by its man on `from`; negative
// where it loses. Either side may stop when it likes. Men are taken as they stand: pins and en
// passant are not looked at; men behind others on a line join in. REQUIRES: such a man, an enemy
// man on `to`, attacked by it.
int exchange(const Position& position, Color color, Square from, Square to);

// The captures of one side that win material.
struct WinningCaptures {
  Bitboard from = 0;     // men that have one
  Bitboard targets = 0;  // enemy men that are won by one
  Bitboard large = 0;    // those that win at least a knight's worth
  int best = 0;          // the most that any wins
  int second = 0;        // the most on another target
};
// As if it were the colour's turn; nothing while its men may not move.
WinningCaptures winning_captures(const Position& position, Color color);

}  // namespace rules
