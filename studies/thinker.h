#pragma once
// How the subject of a study thinks, whichever way it searches.

#include <functional>
#include <memory>
#include <vector>

#include "arena/player.h"
#include "mcts/evaluator.h"
#include "rules/position.h"
#include "tablebase/tables.h"
#include "tactics/nnue.h"
#include "tactics/search_report.h"

namespace studies {

// How a player of a study's games searches; `budget`: simulations or nodes a move.
struct PlayerBudget {
  int budget = 32;
  // The first plies of a game are drawn at this temperature, all others are the best.
  int opening_plies = 0;
  double temperature = 1;
  // Its positions count as exact. Of the rules and the table that are played; null: none.
  const tablebase::Tables* tablebase = nullptr;
};

// Owned and called by one thread.
class Thinker {
 public:
  virtual ~Thinker() = default;
  // What is expected of positions without a search.
  virtual mcts::Evaluator& evaluator() = 0;
  // Whether it asks that of quiet positions alone (selfplay::is_quiet).
  virtual bool asks_of_quiet_alone() const = 0;
  // Searches of these positions (none of them over), without noise. A study may begin with the
  // reports' moves, drawn by their weights as the player's opening moves are.
  virtual std::vector<tactics::SearchReport> search(const std::vector<rules::Position>& positions,
                                                    const rules::ScoringTable& table,
                                                    int budget) = 0;
  // White's expected points of ten at each of these positions, by searches of the best line alone.
  virtual std::vector<double> points_white(const std::vector<rules::Position>& positions,
                                           const rules::ScoringTable& table, int budget) = 0;
  // A player of many games at once, for the same thread; each of its games depends on what it
  // is asked in that game and the game's random numbers alone.
  virtual std::unique_ptr<arena::Player> player(const PlayerBudget& how) = 0;
  // The budget of a search that is as deep as a study can wait for.
  virtual int deep_budget() const = 0;
};

// Makes a thinker for the thread that asks; all think alike.
using MakeThinker = std::function<std::unique_ptr<Thinker>()>;

// By tree search. `make_evaluator` is called by the threads that ask for thinkers and players.
using EvaluatorFactory = std::function<std::unique_ptr<mcts::Evaluator>()>;
// Searches as self-play does, so that the network is calibrated for it.
MakeThinker tree_thinker(EvaluatorFactory make_evaluator);

// By alpha-beta search.
MakeThinker nnue_thinker(std::shared_ptr<const tactics::NnueWeights> weights);

}  // namespace studies
