#pragma once

#include <vector>

#include "rules/position.h"

namespace rules {

// How often positions have come up in one game; what Position::outcome wants to know of the past.
class History {
 public:
  // Notes that the game has come to `position` (its start too) and says how often it has, this time
  // included. The same board, reserves, side to move, castling rights and en passant square are the
  // same position.
  int add(const Position& position) {
    if (position.halfmove_clock() == 0) positions_.clear();  // nothing before can come again
    positions_.push_back(position);
    int count = 0;
    for (const Position& earlier : positions_) count += position.recurs_as(earlier);
    return count;
  }

 private:
  std::vector<Position> positions_;  // since the last capture or pawn move
};

}  // namespace rules
