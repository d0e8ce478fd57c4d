#pragma once

#include <array>

#include "rules/move_list.h"
#include "rules/position.h"

namespace tactics {

// Pieces of `own` that alone stand between the square and a slider of `by`: pinned to their king,
// or about to uncover an attack where both are of one side. `diagonal`, `straight`: what a bishop
// and a rook see from the square.
rules::Bitboard shields(const rules::Position& position, rules::Square square,
                        rules::Bitboard diagonal, rules::Bitboard straight, rules::Color own,
                        rules::Color by);

// Tells which moves of the side to move check the enemy king. REQUIRES: the position outlives it.
class Checks {
 public:
  explicit Checks(const rules::Position& position);
  // REQUIRES: a legal move.
  bool given_by(rules::Move move) const;
  // All legal moves that give a check and neither take nor promote, among a few others of
  // Position::quiet_moves. REQUIRES: the pieces of the side to move may move.
  void quiet_moves(rules::MoveList& out) const;

 private:
  const rules::Position& position_;
  bool may_move_;
  bool has_special_;  // moves that change more than two squares, promotions apart
  rules::Square king_{};
  std::array<rules::Bitboard, rules::kPieceTypes> from_{};  // squares, by what stands on them
  rules::Bitboard any_ = 0;         // in one of them; none while there is no king to check
  rules::Bitboard uncovering_ = 0;  // own pieces whose leaving uncovers an attack
};

// The side to move has a check after which the enemy king falls whatever the enemy does. REQUIRES:
// the game is not over and the side to move can't take the king.
bool has_mate_in_one(const rules::Position& position);

// Says of a position without surviving moves whether the king falls; if not, it is a stalemate.
bool king_falls_without_moves(const rules::Position& position);

}  // namespace tactics
