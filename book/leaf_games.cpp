#include "book/leaf_games.h"

#include <algorithm>

#include "base/rng.h"
#include "base/threads.h"
#include "book/ways.h"
#include "selfplay/alphabeta_games.h"

namespace book {
namespace {

constexpr int kLeafHashMib = 16;

// The game from the leaf by best moves alone; false where it was stopped.
bool play_from(LeafGame& game, tactics::AlphaBetaSearch& search, const Book& book,
               const LeafGamesConfig& config) {
  const rules::ScoringTable& table = book.terms().table;
  std::optional<rules::Outcome> outcome = game.leaf.outcome(table);
  if (!outcome) {
    selfplay::AlphaBetaGamesConfig how;
    how.rules = game.leaf.rule_set();
    how.table = table;
    how.openings.official_table_share = 1;
    how.openings.book_share = 1;
    how.book_starts = std::make_shared<const std::vector<rules::Position>>(1, game.leaf);
    how.nodes = config.nodes;
    how.stop = config.stop;
    outcome = selfplay::play_game(search, how, base::Rng(config.seed)).game.outcome;
    if (config.stop && *config.stop) return false;
  }
  game.points_white = table.white_points(*outcome);
  return true;
}

}  // namespace

std::vector<LeafGame> play_leaf_games(const Book& book, const tactics::Evaluator& evaluator,
                                      const LeafGamesConfig& config) {
  std::vector<LeafGame> games;
  base::Rng rng(config.seed);
  for (int i = 0; i < config.draws; ++i) {
    const rules::Position leaf = draw_way_out(book, config.temperature, rng).end;
    const auto known = std::ranges::find_if(
        games, [&](const LeafGame& game) { return game.leaf.same_but_number(leaf); });
    known == games.end() ? games.push_back({leaf, 1}) : void(++known->times);
  }
  std::atomic<std::size_t> next = 0;
  base::Threads threads;
  for (int i = 0; i < config.threads; ++i) {
    threads.start([&] {
      tactics::AlphaBetaSearch search(evaluator, 1, kLeafHashMib);
      for (std::size_t at = next++; at < games.size(); at = next++) {
        if (!play_from(games[at], search, book, config)) games[at].times = 0;
      }
    });
  }
  threads.join();
  std::erase_if(games, [](const LeafGame& game) { return game.times == 0; });
  return games;
}

}  // namespace book
