#pragma once

#include <cstdint>
#include <utility>

#include "base/rng.h"
#include "rules/history.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "selfplay/game_record.h"

namespace training {

// A game of random legal moves whose every move is the target, with certainty.
inline selfplay::GameRecord random_game(std::uint64_t seed, rules::RuleSet rules = {}) {
  base::Rng rng(seed);
  for (;;) {
    selfplay::GameRecord game;
    rules::Position position = draw_start(rules, rng);
    rules::History past;
    game.rules = rules;
    game.table = rules.table();
    game.start_fen = position.to_fen();
    game.seed = seed;
    while (!position.outcome(game.table, past.occurrences(position))) {
      rules::MoveList moves;
      position.surviving_moves(moves);
      if (moves.empty()) moves = position.legal_moves();
      selfplay::PlyRecord ply;
      ply.played = moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
      ply.policy = {{ply.played, 1.0f}};
      rules::MoveList surviving;
      position.surviving_moves(surviving);
      ply.is_target = !surviving.empty();
      past.add(position);
      position.play(ply.played);
      game.plies.push_back(std::move(ply));
    }
    game.outcome = *position.outcome(game.table, past.occurrences(position));
    if (game.plies.size() < 150) return game;
  }
}

}  // namespace training
