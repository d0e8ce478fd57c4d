#include "selfplay/game_pgn.h"

#include "selfplay/errors.h"

namespace selfplay {
namespace {

rules::Adjudication adjudication(Ended ended) {
  switch (ended) {
    case Ended::kResignation:
      return rules::Adjudication::kResignation;
    case Ended::kFastFifty:
      return rules::Adjudication::kFastFifty;
    case Ended::kRules:
      break;
  }
  return rules::Adjudication::kNone;
}

}  // namespace

rules::PgnGame pgn_game(const GameRecord& record) {
  rules::PgnGame pgn;
  pgn.event = "Self-play, generation " + std::to_string(record.generation);
  pgn.round = std::to_string(record.id);
  pgn.white = pgn.black = "sharpzero";
  pgn.rules = record.rules;
  pgn.table = record.table;
  try {
    pgn.start = replay(record).front();
  } catch (const InputError& error) {
    throw InputError("game " + std::to_string(record.id) + ": " + error.what());
  }
  for (const PlyRecord& ply : record.plies) pgn.moves.push_back(ply.played);
  pgn.outcome = record.outcome;
  pgn.adjudication = adjudication(record.ended);
  return pgn;
}

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
    pgn.more_tags.emplace_back("OpeningPlies", std::to_string(game.opening_plies));
  }
  if (!game.forfeit.empty()) {
    pgn.adjudication = rules::Adjudication::kResignation;
    pgn.more_tags.emplace_back("Forfeit", game.forfeit);
  }
  return pgn;
}

}  // namespace selfplay
