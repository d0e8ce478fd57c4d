#include "selfplay/alphabeta_games.h"

#include <algorithm>

#include "rules/history.h"
#include "selfplay/worker.h"

namespace selfplay {
namespace {

using rules::Position;

// A given start, or one after at least two random plies: without chance all games would be alike.
Position random_start(const AlphaBetaGamesConfig& config, const rules::ScoringTable& table,
                      base::Rng& rng) {
  if (const auto start =
          draw_given_start(config.openings, config.book_starts, config.rules, table, rng)) {
    return *start;
  }
  constexpr int kLeast = 2;
  return random_opening(config.rules, table, kLeast,
                        std::max(config.openings.random_opening_plies, kLeast), rng);
}

}  // namespace

AlphaBetaGame play_game(tactics::AlphaBetaSearch& search, const AlphaBetaGamesConfig& config,
                        base::Rng rng) {
  AlphaBetaGame played;
  GameRecord& game = played.game;
  game.generation = config.generation;
  game.rules = config.rules;
  game.table = draw_table(config.openings, config.table, rng);
  game.seed = rng.next();
  Position position = random_start(config, game.table, rng);
  game.start_fen = position.to_fen();
  rules::History past;
  search.clear();
  const bool holds =
      config.tablebase != nullptr && config.tablebase->hold_for(game.rules, game.table);
  const tablebase::Tables* const tablebase = holds ? config.tablebase : nullptr;
  search.set_tablebase(tablebase);
  const tactics::SearchLimits limits{.nodes = static_cast<std::uint64_t>(config.nodes)};
  while (!config.stop || !*config.stop) {
    if (const auto outcome = position.outcome(game.table, past.occurrences(position))) {
      game.outcome = *outcome;
      break;
    }
    const auto known = tablebase != nullptr && !game.plies.empty()
                           ? tablebase->probe_in_game(position)
                           : std::nullopt;
    if (known) {
      game.outcome = known->outcome;
      game.ended = rules::Adjudication::kTablebase;
      break;
    }
    const tactics::SearchReport report =
        search.search(position, game.table, past, limits, {}, {.stop = config.stop});
    const tactics::RootMove& best = report.best();
    played.nodes += static_cast<std::int64_t>(report.nodes);
    PlyRecord ply;
    ply.played = best.move;
    ply.root_value_stm = best.value_stm;
    ply.root_outcomes_white = best.outcomes;
    past.add(position);
    position.play(ply.played);
    game.plies.push_back(std::move(ply));
  }
  return played;
}

}  // namespace selfplay
