#pragma once
// First-move advantage and what else self-play games say of the opening.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mcts/evaluator.h"
#include "studies/game_facts.h"
#include "studies/self_games.h"

namespace studies {

// What tells one set of games from another: network (its name), generation, simulations, table,
// rules, opening_plies, temperature, seed, seeds, precision.
nlohmann::ordered_json to_json(const SelfGamesConfig& config, const std::string& network);

// One network's values of the start, White's points of ten; of a shuffled setup the means over
// studied_starts().
struct StartValues {
  double network = 0;  // by itself
  double search = 0;   // as many simulations as in the games
  double deep_search = 0;
  int deep_simulations = 0;
  std::size_t starts = 1;
  struct FirstMove {
    std::uint64_t move = 0;  // as GameFacts::first_move
    std::string name;        // "K@d1", its mirror image included
    bool king = false;
    double points = 0;  // after it, by a search of its own with deep_simulations / 2
  };
  // All legal ones, mirror images once, the best first; none where games begin differently.
  std::vector<FirstMove> first_moves;
};
StartValues start_values(const SelfGamesConfig& config, int deep_simulations,
                         mcts::Evaluator& evaluator);

// All figures of one set of games: the config's keys and games, distinct_games, openings,
// points_white, by_seed, start, outcomes, first_moves, placing, king_first, variety, bishops,
// plies, placements, piece_values; without a reserve no placing, king_first, bishops and
// placements. Estimates are {mean, low, high} with 95 % intervals; docs and
// the report name their units. REQUIRES: all games of the config in order; not none.
nlohmann::ordered_json advantage_figures(const SelfGamesConfig& config, const std::string& network,
                                         const std::vector<selfplay::GameRecord>& games,
                                         const StartValues& start);

// The figures as text, for a terminal.
std::string advantage_text(const nlohmann::ordered_json& figures);

}  // namespace studies
