#pragma once
// What the start is worth without the bias of minimax over searches with errors: by games from
// where players leave the book who draw its moves.

#include <atomic>
#include <cstdint>
#include <vector>

#include "book/book.h"
#include "tactics/evaluator.h"

namespace book {

struct LeafGamesConfig {
  double temperature = 0.1;  // of draw_way_out()
  int draws = 100;
  int nodes = 10000;  // a move
  int threads = 1;
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;  // may be null
};

// One position at which the book was left, and the game from there, which depends on it alone.
struct LeafGame {
  rules::Position leaf;
  int times = 0;            // drawn
  double points_white = 0;  // of ten, by the book's table
};

// In the order in which they were drawn; without games that `stop` has cut off.
std::vector<LeafGame> play_leaf_games(const Book& book, const tactics::Evaluator& evaluator,
                                      const LeafGamesConfig& config);

}  // namespace book
