#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "rules/types.h"

namespace rules {

// Moves on the stack. Elements past size() are not initialised.
class MoveList {
 public:
  // More than any position has: nine queens (27 squares each), two rooks, bishops and knights and a
  // king reach at most 321; where a game from a file lets pieces in reserve go anywhere, the four
  // kinds without the king, with whom nothing moves, have at most 248 and twelve others 259.
  static constexpr std::size_t kCapacity = 512;

  MoveList() {}  // NOLINT(modernize-use-equals-default): leaves the moves uninitialised

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(Move move) const { return std::find(begin(), end(), move) != end(); }
  Move operator[](std::size_t i) const { return moves_[i]; }
  const Move* data() const { return moves_.data(); }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }

  void clear() { size_ = 0; }
  // REQUIRES: size() < kCapacity.
  void push_back(Move move) { moves_[size_++] = move; }

 private:
  std::size_t size_ = 0;
  union {  // no constructor runs for the moves
    std::array<Move, kCapacity> moves_;
  };
};

}  // namespace rules
