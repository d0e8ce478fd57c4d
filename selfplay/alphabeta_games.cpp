#include "selfplay/alphabeta_games.h"

#include <algorithm>

#include "rules/history.h"
#include "selfplay/random_starts.h"
#include "selfplay/worker.h"

namespace selfplay {
namespace {

using rules::Position;

// A random ending, or a line of at least two random plies: without chance all games would be alike.
Position random_start(const AlphaBetaGamesConfig& config, const rules::ScoringTable& table,
                      base::Rng& rng) {
  if (rng.uniform() < static_cast<double>(config.openings.ending_share)) {
    return random_ending(config.rules, table, rng);
  }
  while (true) {
    const auto most = static_cast<std::uint32_t>(std::max(config.openings.random_opening_plies, 2));
    const auto plies = 2 + static_cast<int>(rng.below(most - 1));
    if (const auto line = random_line(config.rules, table, plies, rng)) return line->position();
  }
}

// Seen by White, as a record keeps them.
std::array<float, rules::kOutcomes> seen_by_white(
    const std::array<float, rules::kOutcomes>& outcomes, rules::Color mover) {
  std::array<float, rules::kOutcomes> white{};
  for (std::size_t i = 0; i < white.size(); ++i)
    white[rules::outcome_seen_by(i, mover)] = outcomes[i];
  return white;
}

}  // namespace

template <class Evaluator>
GameRecord play_game(tactics::AlphaBetaSearch<Evaluator>& search,
                     const AlphaBetaGamesConfig& config, base::Rng rng) {
  GameRecord game;
  game.generation = config.generation;
  game.rules = config.rules;
  game.table = draw_table(config.openings, config.table, rng);
  game.seed = rng.next();
  Position position = random_start(config, game.table, rng);
  game.start_fen = position.to_fen();
  rules::History past;
  search.clear();
  tactics::AlphaBetaLimits limits;
  limits.nodes = static_cast<std::uint64_t>(config.nodes);
  while (true) {
    if (const auto outcome = position.outcome(game.table, past.occurrences(position))) {
      game.outcome = *outcome;
      return game;
    }
    const tactics::AlphaBetaReport found = search.search(position, game.table, past, limits);
    PlyRecord ply;
    ply.played = found.best();
    ply.root_value_stm = static_cast<float>(found.value_stm());
    ply.root_outcomes = seen_by_white(found.outcomes, position.side_to_move());
    past.add(position);
    position.play(ply.played);
    game.plies.push_back(std::move(ply));
  }
}

template GameRecord play_game(tactics::AlphaBetaSearch<tactics::Nnue>&, const AlphaBetaGamesConfig&,
                              base::Rng);
template GameRecord play_game(tactics::AlphaBetaSearch<tactics::MaterialGuess>&,
                              const AlphaBetaGamesConfig&, base::Rng);

}  // namespace selfplay
