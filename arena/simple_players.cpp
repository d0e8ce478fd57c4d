#include "arena/simple_players.h"

#include <limits>

#include "rules/history.h"

namespace arena {
namespace {

// material_gain(), or where kings are kept safe what the move ends the game with. `past`: of the
// position after the move.
double gain_of(const GameView& game, const rules::History& past, rules::Move move) {
  const rules::Position& position = *game.position;
  if (position.rule_set().king_safe) {
    const rules::Position next = position.after(move);
    if (const auto outcome = next.outcome(*game.table, past.occurrences(next))) {
      const double white = game.table->white_points(*outcome);
      return kKingGain * rules::value_stm(white, position.side_to_move());
    }
  }
  return material_gain(position, move, *game.table);
}

}  // namespace

Choice RandomPlayer::choose_move(const GameView& game, base::Rng& rng) {
  const rules::MoveList moves = game.position->legal_moves();
  return {moves[rng.below(static_cast<std::uint32_t>(moves.size()))]};
}

Choice GreedyPlayer::choose_move(const GameView& game, base::Rng& rng) {
  rules::MoveList moves;
  sensible_moves(*game.position, moves);
  rules::History past(*game.start, game.moves);
  past.add(*game.position);
  std::vector<rules::Move> best;
  double most = -std::numeric_limits<double>::infinity();
  for (const rules::Move move : moves) {
    const double gain = gain_of(game, past, move);
    if (gain > most) {
      most = gain;
      best.clear();
    }
    if (gain == most) best.push_back(move);
  }
  return {best[rng.below(static_cast<std::uint32_t>(best.size()))]};
}

void sensible_moves(const rules::Position& position, rules::MoveList& moves) {
  if (position.can_capture_king()) {
    const rules::Bitboard king = position.pieces(~position.side_to_move(), rules::PieceType::kKing);
    for (const rules::Move move : position.legal_moves()) {
      if (!move.is_placement() && (rules::bit(move.to()) & king) != 0) moves.push_back(move);
    }
    return;
  }
  position.surviving_moves(moves);
  if (moves.size() == 0) position.legal_moves(moves);
}

std::vector<rules::Move> shuffled_sensible_moves(const rules::Position& position, base::Rng& rng) {
  rules::MoveList sensible;
  sensible_moves(position, sensible);
  std::vector<rules::Move> moves(sensible.begin(), sensible.end());
  rng.shuffle(std::span(moves));
  return moves;
}

double material_gain(const rules::Position& position, rules::Move move,
                     const rules::ScoringTable& table) {
  const auto value = [&table](rules::PieceType piece) {
    return piece == rules::PieceType::kKing
               ? kKingGain
               : table.material[static_cast<std::size_t>(index(piece))];
  };
  double gain = 0;
  if (const auto captured = position.captured_by(move)) gain += value(*captured);
  if (move.is_promotion()) gain += value(move.promoted_to()) - value(rules::PieceType::kPawn);
  return gain;
}

}  // namespace arena
