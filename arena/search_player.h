#pragma once
// Plays by Monte-Carlo tree search with any evaluator: with the network's it is the network player.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "mcts/evaluation_cache.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "mcts/search_config.h"
#include "rules/repertoire.h"

namespace arena {

struct SearchPlayerOptions {
  std::string name;
  mcts::SearchConfig search;
  tactics::SearchLimits limits{.nodes = 64};  // of a move; not its depth or clock
  int leaves_per_game = 1;  // handed out by one game's search before it sees their values
  // The rule sets that its evaluator knows, InputError for others; empty: all.
  std::optional<rules::Repertoire> repertoire{};
  // The scoring table that it believes; empty: the one that pays.
  std::optional<rules::ScoringTable> table{};
  // The first plies of a game in which moves are drawn, at a temperature (Search::choose).
  int opening_plies = 0;
  float opening_temperature = 1;
  // Its positions count as exact. Of the rules and the table that are played; null: none.
  const tablebase::Tables* tablebase = nullptr;
};

// Searches all its games in lockstep, with one batch a round; with a move time one after the other.
// Where the evaluator takes several batches at once, groups of games take turns (mcts::take_turns).
// Plays the best move, after the opening that the options may ask for. Subtrees live on from move
// to move of a game.
class SearchPlayer final : public Player {
 public:
  SearchPlayer(std::unique_ptr<mcts::Evaluator> evaluator, SearchPlayerOptions options);

  std::string name() const override { return options_.name; }
  void new_game(int slot, base::Rng rng) override;
  void choose(std::span<const GameView> games, std::span<Choice> choices) override;
  std::int64_t evaluations() const override { return evaluations_; }
  bool timed() const override { return options_.limits.move_time_ms.has_value(); }

 private:
  struct Slot {
    base::Rng rng;
    std::optional<mcts::Search> search;
    std::size_t plies = 0;  // of the game that the search has followed
  };

  Slot& slot(const GameView& game) { return slots_.at(static_cast<std::size_t>(game.slot)); }
  void search(std::span<const GameView> games);
  mcts::Search* follow(const GameView& game);

  std::unique_ptr<mcts::Evaluator> evaluator_;
  SearchPlayerOptions options_;
  std::vector<Slot> slots_;
  mcts::EvaluationCache cache_;
  std::vector<mcts::LeafBatch> batches_;  // one a group of games
  std::int64_t evaluations_ = 0;
};

// Lets each search collect up to `leaves` leaves into one batch, evaluates them and applies them.
// False where there were none and every search is done.
bool search_round(std::span<mcts::Search* const> searches, int leaves, mcts::Evaluator& evaluator,
                  mcts::LeafBatch& batch);

}  // namespace arena
