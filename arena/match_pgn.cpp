#include "arena/match_pgn.h"

#include "selfplay/game_pgn.h"

namespace arena {

rules::PgnGame pgn_game(const MatchGame& game, const MatchResult& match) {
  rules::PgnGame pgn;
  pgn.event = "Match";
  pgn.round = std::to_string(game.number + 1);
  pgn.white = game.a_is_white ? match.a : match.b;
  pgn.black = game.a_is_white ? match.b : match.a;
  pgn.rules = game.start.rule_set();
  pgn.table = match.table;
  pgn.start = game.start;
  pgn.moves = game.moves;
  pgn.outcome = game.outcome;
  if (game.opening_plies > 0) {
    pgn.more_tags.emplace_back(selfplay::kOpeningPlies, std::to_string(game.opening_plies));
  }
  if (!game.forfeit.empty()) {
    pgn.adjudication = rules::Adjudication::kResignation;
    pgn.more_tags.emplace_back(selfplay::kForfeit, game.forfeit);
  }
  return pgn;
}

}  // namespace arena
