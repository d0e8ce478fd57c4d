#pragma once
// Static exchange evaluation (SEE): what captures win on one square, when both sides go on taking
// there with their cheapest pieces.

#include "rules/position.h"
#include "tactics/piece_values.h"

namespace tactics {

// What `color` wins by its best line of captures on `to`, started by its piece on `from`; negative
// where it loses. Either side may stop when it likes. Pieces are taken as they stand: pins and en
// passant are not looked at; pieces behind others on a line join in. REQUIRES: such a piece, an
// enemy piece on `to`, attacked by it.
int static_exchange(const rules::Position& position, rules::Color color, rules::Square from,
                    rules::Square to, const PieceValues& values);

// The same for any legal move of the side to move but castling, en passant and promotions: what it
// wins at once, or 0, less what is then lost on the square it arrives on.
int exchange_after(const rules::Position& position, rules::Move move, const PieceValues& values);

// The captures of one side that win material.
struct WinningCaptures {
  rules::Bitboard from = 0;     // pieces that have one
  rules::Bitboard targets = 0;  // enemy pieces that are won by one
  rules::Bitboard large = 0;    // those that win at least a knight's worth
  int best = 0;                 // the most that any wins
  int second = 0;               // the most on another target
};
// As if it were the colour's turn; nothing while its pieces may not move.
WinningCaptures winning_captures(const rules::Position& position, rules::Color color,
                                 const PieceValues& values);

}  // namespace tactics
