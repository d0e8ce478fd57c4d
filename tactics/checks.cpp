#include "tactics/checks.h"

#include "rules/attacks.h"

namespace tactics {
namespace {

using namespace rules;

bool checks_after(const Position& position, Move move) {
  const Position next = position.after(move);
  return next.in_check(next.side_to_move()) && next.pieces_may_move(position.side_to_move());
}

// Castling, en passant and entries with a pawn's step, among others: more may change on the board
// than that a piece leaves one square and arrives on another.
bool is_special(const Position& position, Move move) {
  if (move.is_placement()) return move.pawn_step() != PawnStep::kStays;
  return position.en_passant() == move.to() || position.is_castling(move);
}

}  // namespace

Bitboard shields(const Position& position, Square square, Bitboard diagonal, Bitboard straight,
                 Color own, Color by) {
  const Bitboard mine = position.pieces(own), occupied = position.occupied();
  const Bitboard queens = position.pieces(by, PieceType::kQueen);
  Bitboard behind = (bishop_attacks(square, occupied & ~(mine & diagonal)) & ~diagonal &
                     (position.pieces(by, PieceType::kBishop) | queens)) |
                    (rook_attacks(square, occupied & ~(mine & straight)) & ~straight &
                     (position.pieces(by, PieceType::kRook) | queens));
  Bitboard found = 0;
  while (behind) found |= between(square, pop_first(behind)) & mine;
  return found;
}

Checks::Checks(const Position& position)
    : position_(position), may_move_(position.pieces_may_move(position.side_to_move())) {
  const Color mover = position.side_to_move();
  has_special_ = position.en_passant() || position.castling_rooks(mover) != 0 ||
                 position.rule_set().entry == Entry::kBehindPawn;
  const Bitboard king = position.pieces(~mover, PieceType::kKing);
  if (!king) return;
  const Square square = first_square(king);
  const Bitboard occupied = position.occupied();
  const Bitboard diagonal = bishop_attacks(square, occupied);
  const Bitboard straight = rook_attacks(square, occupied);
  king_ = square;
  from_ = {pawn_attacks(~mover, king),
           knight_attacks(square),
           diagonal,
           straight,
           diagonal | straight,
           0};
  for (const Bitboard squares : from_) any_ |= squares;
  uncovering_ = shields(position, square, diagonal, straight, mover, mover);
}

bool Checks::given_by(Move move) const {
  if (any_ == 0) return false;
  if (!may_move_ || move.is_promotion() || (has_special_ && is_special(position_, move))) {
    return checks_after(position_, move);
  }
  if (!move.is_placement() && (uncovering_ & bit(move.from())) &&
      !(line(king_, move.from()) & bit(move.to()))) {
    return true;
  }
  if (!(any_ & bit(move.to()))) return false;
  const PieceType type = move.is_placement() ? move.placed() : *position_.piece_at(move.from());
  return (from_[static_cast<std::size_t>(index(type))] & bit(move.to())) != 0;
}

void Checks::quiet_moves(MoveList& out) const {
  out.clear();
  if (any_ != 0) position_.quiet_moves(out, uncovering_, from_);
}

bool has_mate_in_one(const Position& position) {
  const Checks checks(position);
  MoveList moves, replies;
  position.surviving_moves(moves);
  for (const Move move : moves) {
    if (!checks.given_by(move)) continue;
    const Position next = position.after(move);
    if (next.halfmove_clock() >= Position::kImpasseClock || next.can_capture_king()) continue;
    next.surviving_moves(replies);
    if (replies.empty() && king_falls_without_moves(next)) return true;
  }
  return false;
}

bool king_falls_without_moves(const Position& position) {
  const Color mover = position.side_to_move();
  return position.in_check(mover) ||
         (position.rule_set().stuck_in_hand_loses && !position.pieces(mover, PieceType::kKing));
}

}  // namespace tactics
