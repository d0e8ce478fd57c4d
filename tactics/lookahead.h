#pragma once
// A short exact search of material: what a network that sees a position for an instant overlooks.

#include <cstdlib>
#include <memory>
#include <span>

#include "rules/outcome.h"
#include "rules/position.h"

namespace tactics {

// More than any balance of pieces.
inline constexpr int kKingFalls = 1'000'000;

struct Finding {
  // The pieces of the side to move on the board and in hand less the enemy's, in the units of the
  // piece values, at the end of the best play; kKingFalls or its negative where a king falls by
  // force.
  int value = 0;
  int balance = 0;  // the same as the position stands
  int plies = 0;    // how far it looked before the quiescence search
  // The move that brings it: the first of those in a fixed order. None where every move loses the
  // king, where `plies` is 0, or where the enemy king can be taken at once.
  rules::Move best;

  bool king_falls() const { return std::abs(value) == kKingFalls; }
  bool operator==(const Finding&) const = default;
};

// Negamax with quiescence search over material, by the rules: pins, checks and taken kings
// included. A stalemate is worth the material at that moment. What it finds is a function of what
// it is asked, though it remembers what it has seen. Owned by one thread.
class Lookahead {
 public:
  // It remembers up to 2^table_bits positions, 16 bytes each.
  explicit Lookahead(int table_bits = 15);
  ~Lookahead();
  Lookahead(Lookahead&&) noexcept;
  Lookahead& operator=(Lookahead&&) noexcept;

  // Looks `plies` plies ahead, then along captures and promotions, and in check all evasions
  // (Search::quiesce). With no ply, a side that stands pat saves its most valuable hanging piece
  // and loses the next. Where there are cards it counts the material as it stands. `survivors`:
  // position.surviving_moves(), or some of them to look at no others; not looked at with no ply, or
  // where the king can be taken. Pieces count by piece_values(table). REQUIRES: the game is not
  // over.
  Finding find(const rules::Position& position, const rules::ScoringTable& table,
               std::span<const rules::Move> survivors, int plies);

 private:
  struct Search;
  std::unique_ptr<Search> search_;
};

}  // namespace tactics
