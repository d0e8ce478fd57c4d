#include "tactics/see.h"

#include <algorithm>
#include <array>

#include "tactics/move_order.h"

namespace tactics {
using namespace rules;

namespace {

// What joins in on `to` once the piece on `left` is gone: the cheapest own type, or 6, times 8,
// plus the same of the enemy counted down.
int uncovered(const Position& position, Color side, Square to, Bitboard occupied, Bitboard left) {
  const auto cheapest = [&](Color of) {
    const Bitboard joins =
        position.attackers(to, of, occupied & ~left) & ~position.attackers(to, of, occupied);
    const auto type = std::ranges::find_if(
        kAllTypes, [&](PieceType t) { return (joins & position.pieces(of, t)) != 0; });
    return static_cast<int>(type - kAllTypes.begin());
  };
  return 8 * cheapest(side) - cheapest(~side);
}

// One of a side's queens: cheaper pieces may wait behind one, so the choice must not depend on the
// squares' order, for flipped positions would differ.
Bitboard one_of(const Position& position, Color side, Square to, Bitboard occupied,
                Bitboard queens) {
  Bitboard best = 0;
  for (int least = 0; queens; queens &= queens - 1) {
    const Bitboard queen = queens & -queens;
    const int found = uncovered(position, side, to, occupied, queen);
    if (best && found >= least) continue;
    best = queen;
    least = found;
  }
  return best;
}

// What `side` wins by its best line of moves to `to`, the first by a `moving` that leaves
// `capturer` (none: it is placed) and takes what is worth `won`.
int exchange(const Position& position, Color side, Bitboard capturer, PieceType moving, Square to,
             int won, const PieceValues& values) {
  // gains[n]: what the side that makes capture n has won by then, if the captures end with it.
  std::array<int, 32> gains;
  std::size_t count = 0;
  Bitboard occupied = position.occupied();
  gains[0] = won;
  while (true) {
    occupied &= ~capturer;
    side = ~side;
    if (!position.pieces_may_move(side)) break;
    const Bitboard able = position.attackers(to, side, occupied);
    if (!able || count + 1 == gains.size()) break;
    ++count;
    gains[count] = value_of(values, moving) - gains[count - 1];
    for (const PieceType type : kAllTypes) {  // the cheapest first
      capturer = able & position.pieces(side, type);
      const bool several = (capturer & (capturer - 1)) != 0;
      capturer = several && type == PieceType::kQueen
                     ? one_of(position, side, to, occupied, capturer)
                     : capturer & (~capturer + 1);
      moving = type;
      if (capturer) break;
    }
  }
  for (; count > 0; --count) gains[count - 1] = -std::max(-gains[count - 1], gains[count]);
  return gains[0];
}

}  // namespace

int static_exchange(const Position& position, Color color, Square from, Square to,
                    const PieceValues& values) {
  return exchange(position, color, bit(from), *position.piece_at(from), to,
                  value_of(values, *position.piece_at(to)), values);
}

int exchange_after(const Position& position, Move move, const PieceValues& values) {
  const auto taken = position.piece_at(move.to());
  return exchange(position, position.side_to_move(), move.is_placement() ? 0 : bit(move.from()),
                  piece_of(position, move), move.to(), taken ? value_of(values, *taken) : 0,
                  values);
}

WinningCaptures winning_captures(const Position& position, Color color, const PieceValues& values) {
  WinningCaptures found;
  if (!position.pieces_may_move(color)) return found;
  for (Bitboard enemies = position.pieces(~color); enemies;) {
    const Square to = pop_first(enemies);
    int most = 0;
    for (Bitboard able = position.attackers(to, color, position.occupied()); able;) {
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
