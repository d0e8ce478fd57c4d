#pragma once
// Games of random moves with random search results, as the store would get them.

#include <cstdint>

#include "base/rng.h"
#include "selfplay/game_record.h"

namespace selfplay {

inline PlyRecord random_ply(const rules::MoveList& moves, base::Rng& rng) {
  PlyRecord ply;
  ply.played = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  ply.root_value_stm = static_cast<float>(2 * rng.uniform() - 1);
  ply.is_target = rng.below(4) == 0;
  double sum = 0;
  for (float& share : ply.root_outcomes_white) sum += share = static_cast<float>(rng.uniform());
  for (float& share : ply.root_outcomes_white) share = static_cast<float>(share / sum);
  if (!ply.is_target) return ply;
  sum = 0;
  for (const rules::Move move : moves) {
    const double weight = rng.uniform_positive();
    sum += weight;
    ply.policy.push_back({move, static_cast<float>(weight)});
  }
  for (auto& entry : ply.policy) entry.weight = static_cast<float>(entry.weight / sum);
  return ply;
}

inline GameRecord random_game(std::uint64_t seed, int generation = 0) {
  base::Rng rng(seed);
  GameRecord record;
  record.generation = generation;
  record.seed = rng.next();
  rules::Position position = rules::Position::start();
  record.start_fen = position.to_fen();
  while (!position.outcome(record.table)) {
    record.plies.push_back(random_ply(position.legal_moves(), rng));
    position.play(record.plies.back().played);
  }
  record.outcome = *position.outcome(record.table);
  return record;
}

}  // namespace selfplay
