#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "rules/position.h"

namespace rules {

// The positions that a game has left behind: what Position::outcome wants to know of the past.
// Empty where repetition does not count, so that it costs nothing there.
class History {
 public:
  History() = default;
  // The positions that a game leaves behind with these moves from `start`, which it has reached
  // with the history `before`. REQUIRES: they are legal in order.
  History(Position start, std::span<const Move> moves, History before = {})
      : positions_(std::move(before.positions_)) {
    if (!start.rule_set().repetition) return;
    for (const Move move : moves) {
      add(start);
      start.play(move);
    }
  }

  // To be called before a move is played from the position.
  void add(const Position& position) {
    if (position.rule_set().repetition) positions_.push_back(position);
  }
  // How often the game has come to `position`, where it is now; 1 where repetition does not count.
  // The same board, reserves, side to move, castling rights and en passant square are the same
  // position.
  int occurrences(const Position& position) const {
    // What was before the last capture or pawn move cannot come again. A turn with a card has three
    // plies.
    const int plies = position.halfmove_clock() * (position.has_cards() ? 3 : 1);
    const auto recent = std::min(positions_.size(), static_cast<std::size_t>(plies));
    const auto same = [&position](const Position& earlier) {
      return earlier.key() == position.key() && earlier.recurs_as(position);
    };
    return 1 + static_cast<int>(std::ranges::count_if(std::span(positions_).last(recent), same));
  }

  std::size_t size() const { return positions_.size(); }
  // Takes back all but the first `size`. REQUIRES: there are so many.
  void cut(std::size_t size) {
    positions_.erase(positions_.begin() + static_cast<std::ptrdiff_t>(size), positions_.end());
  }
  bool operator==(const History&) const = default;

 private:
  std::vector<Position> positions_;
};

}  // namespace rules
