#pragma once
// The lookahead by its definition: no bounds, no table, no move left out but by SEE.

#include <algorithm>
#include <bit>

#include "rules/move_list.h"
#include "rules/position.h"
#include "tactics/lookahead.h"
#include "tactics/see.h"

namespace tactics {

class Reference {
 public:
  explicit Reference(const PieceValues& values = kPieceValues) : values_(values) {}

  int value(const rules::Position& position, int plies) const {
    if (position.halfmove_clock() >= rules::Position::kImpasseClock) return balance(position);
    if (plies == 0) return quiescence(position, 8);
    rules::MoveList moves;
    position.surviving_moves(moves);
    if (moves.empty()) return without_moves(position);
    int best = -kKingFalls;
    for (const rules::Move move : moves) {
      best = std::max(best, -value(position.after(move), plies - 1));
    }
    return best;
  }

 private:
  int balance(const rules::Position& position) const {
    int sum = 0;
    for (const rules::Color color : rules::kColors) {
      for (int i = 0; i < 5; ++i) {
        const auto type = static_cast<rules::PieceType>(i);
        const int held = i == 0 ? 0 : position.reserve(color, type);
        const int count = std::popcount(position.pieces(color, type)) + held;
        sum += (color == position.side_to_move() ? 1 : -1) * count * value_of(values_, type);
      }
    }
    return sum;
  }

  int without_moves(const rules::Position& position) const {
    const rules::Color mover = position.side_to_move();
    const bool falls = position.in_check(mover) ||
                       (position.rule_set().stuck_in_hand_loses && !position.king_on_board(mover));
    return falls ? -kKingFalls : balance(position);
  }

  bool loses(const rules::Position& position, rules::Move move) const {
    const auto taken = position.captured_by(move);
    if (move.is_promotion() || !taken || !position.piece_at(move.to())) return false;
    if (value_of(values_, *taken) >= value_of(values_, *position.piece_at(move.from()))) {
      return false;
    }
    return static_exchange(position, position.side_to_move(), move.from(), move.to(), values_) < 0;
  }

  int quiescence(const rules::Position& position, int left) const {
    const rules::Color mover = position.side_to_move();
    if (left == 0 || position.halfmove_clock() >= rules::Position::kImpasseClock) {
      return balance(position);
    }
    rules::MoveList moves;
    if (position.in_check(mover) && position.pieces_may_move(~mover)) {
      position.surviving_moves(moves);
      if (moves.empty()) return without_moves(position);
      int best = -kKingFalls;
      for (const rules::Move move : moves) {
        best = std::max(best, -quiescence(position.after(move), left - 1));
      }
      return best;
    }
    int best = balance(position);
    position.legal_moves(moves);
    for (const rules::Move move : moves) {
      if (move.is_placement() || !(move.is_promotion() || position.captured_by(move))) continue;
      if (loses(position, move) || position.after(move).can_capture_king()) continue;
      best = std::max(best, -quiescence(position.after(move), left - 1));
    }
    return best;
  }

  PieceValues values_;
};

}  // namespace tactics
