#include "selfplay/players/simple_players.h"

#include <algorithm>

namespace selfplay {

void OneGamePlayer::new_game(int slot, rules::Rng rng) {
  const auto i = static_cast<std::size_t>(slot);
  if (i >= rngs_.size()) rngs_.resize(i + 1);
  rngs_[i] = rng;
}

void OneGamePlayer::choose(std::span<const GameView> games, std::span<Choice> choices) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    choices[i] = {choose_move(games[i], rngs_.at(static_cast<std::size_t>(games[i].slot))), {}};
  }
}

rules::Move RandomPlayer::choose_move(const GameView& game, rules::Rng& rng) {
  const rules::MoveList moves = game.position->legal_moves();
  return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
}

rules::Move GreedyPlayer::choose_move(const GameView& game, rules::Rng& rng) {
  rules::MoveList moves;
  sensible_moves(*game.position, moves);
  std::vector<rules::Move> best;
  double most = -1;
  for (const rules::Move move : moves) {
    const double gain = material_gain(*game.position, move, *game.table);
    if (gain > most) {
      most = gain;
      best.clear();
    }
    if (gain == most) best.push_back(move);
  }
  return best[rng.below(static_cast<std::uint32_t>(best.size()))];
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

double material_gain(const rules::Position& position, rules::Move move,
                     const rules::ScoringTable& table) {
  const auto value = [&table](rules::PieceType piece) {
    return piece == rules::PieceType::kKing
               ? kKingGain
               : table.material[static_cast<std::size_t>(index(piece))];
  };
  if (move.is_placement()) return 0;
  double gain = 0;
  if (const auto captured = position.piece_at(move.to())) gain += value(*captured);
  if (move.is_promotion()) gain += value(move.promoted_to()) - value(rules::PieceType::kPawn);
  return gain;
}

}  // namespace selfplay
