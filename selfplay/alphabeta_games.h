#pragma once
// Games that an alpha-beta search plays against itself: a thousand nodes a move cost a millisecond,
// so that there are many of them to learn from.

#include <atomic>
#include <cstdint>

#include "base/rng.h"
#include "rules/rule_set.h"
#include "selfplay/game_record.h"
#include "selfplay/random_starts.h"
#include "selfplay/selfplay_config.h"
#include "tactics/alphabeta.h"

namespace selfplay {

struct AlphaBetaGamesConfig {
  rules::RuleSet rules;
  rules::ScoringTable table;  // the run's own
  SelfPlayConfig openings;    // its shares of random openings, endings and tables, and no more
  BookStarts book_starts;     // where its share of games of a book begins; null: none does
  const tablebase::Tables* tablebase = nullptr;  // games end where it knows them; null: none
  int nodes = 1000;                              // a move
  int generation = 0;
  const std::atomic<bool>* stop = nullptr;  // set: the game ends unfinished
};

struct AlphaBetaGame {
  GameRecord game;
  std::int64_t nodes = 0;  // searched
};

// Plays one game to its end; all chance comes from `rng`, and nothing of earlier games is known. No
// ply has a policy; each has the search's value and the outcomes at the end of its
// best line.
AlphaBetaGame play_game(tactics::AlphaBetaSearch& search, const AlphaBetaGamesConfig& config,
                        base::Rng rng);

}  // namespace selfplay
