#include "arena/alphabeta_player.h"

#include <algorithm>

#include "arena/expectiminimax.h"
#include "arena/simple_players.h"
#include "rules/history.h"

namespace arena {

void AlphaBetaPlayer::prepare(int slots) {
  table_mib_ = std::clamp(options_.memory_mib / slots, 1, options_.hash_mib);
}

void AlphaBetaPlayer::new_game(int slot, base::Rng rng) {
  OneGamePlayer::new_game(slot, rng);
  const auto at = static_cast<std::size_t>(slot);
  if (at >= engines_.size()) engines_.resize(at + 1);
  if (engines_[at]) {
    engines_[at]->clear();
  } else {
    engines_[at] = std::make_unique<tactics::AlphaBetaSearch>(tactics::Evaluator(weights_),
                                                              options_.threads, table_mib_);
    engines_[at]->set_tablebase(options_.tablebase);
  }
}

Choice AlphaBetaPlayer::choose_move(const GameView& game, base::Rng& rng) {
  tactics::SearchLimits limits = options_.limits;
  const rules::ScoringTable& table = options_.table ? *options_.table : *game.table;
  const rules::History past(*game.start, game.moves);
  if (!weights_) limits.search_moves = shuffled_sensible_moves(*game.position, rng);
  if (game.position->has_cards()) {
    return {expectiminimax(*game.position, limits.search_moves, table, limits.depth, past).move};
  }
  const bool draws = std::ssize(game.moves) < options_.temperature_plies;
  const double temperature = draws ? options_.temperature : 0;
  if (temperature > 0) limits.multi_pv = kSampledMoves;
  tactics::AlphaBetaSearch& engine = *engines_[static_cast<std::size_t>(game.slot)];
  const auto found = engine.search(*game.position, table, past, limits);
  return {tactics::sample_move(found.moves, temperature, rng).move};
}

}  // namespace arena
