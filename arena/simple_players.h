#pragma once
// Players without search: the weakest of the ladder.

#include <vector>

#include "arena/player.h"

namespace arena {

// Every legal move is as likely.
class RandomPlayer final : public OneGamePlayer {
 public:
  std::string name() const override { return "random"; }

 private:
  Choice choose_move(const GameView& game, base::Rng& rng) override;
};

// Takes the king where it can. Otherwise, of the moves that do not lose the own king at once (of
// all, where none is left), it plays the one that wins most material on the board by itself: the
// value of what it captures and of a promotion, with no look at the answer. Where kings are kept
// safe a move that ends the game counts what the end pays, a full win as much as a king. Ties are
// broken at random.
class GreedyPlayer final : public OneGamePlayer {
 public:
  std::string name() const override { return "greedy"; }

 private:
  Choice choose_move(const GameView& game, base::Rng& rng) override;
};

// The moves that take the enemy king; else those that do not lose the own king at once; else all of
// them. REQUIRES: the game is not over.
void sensible_moves(const rules::Position& position, rules::MoveList& moves);
// The same in a random order, so that the first of equal ones is any of them.
std::vector<rules::Move> shuffled_sensible_moves(const rules::Position& position, base::Rng& rng);

// What a legal move gains on the board by itself, under the table's piece values: what it takes and
// what its pawn becomes. A king counts kKingGain.
inline constexpr double kKingGain = 1000;
double material_gain(const rules::Position& position, rules::Move move,
                     const rules::ScoringTable& table);

}  // namespace arena
