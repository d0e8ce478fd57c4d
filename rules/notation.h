#pragma once
// Moves in words: UCI (e2e3, e7e8q, N@d1, R@e1,e2e4) and SAN (B@a1, Nbd2, exd5, e8=Q, O-O, R@e1,e4;
// a check or mate sign only where kings are kept safe); with cards, in both, draw, ?N for the card
// that comes (?L and ?D: bishops), N@d4 and pass. FEN is Position::from_fen and to_fen.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/history.h"
#include "rules/position.h"

namespace rules {

std::string to_string(Square square);

std::string to_uci(Move move);
// Throws RulesError unless `text` names exactly one legal move by its squares or its placement.
// Castling may be told by the king's arrival or by the rook that he takes, unless the king may go
// there in an ordinary move; a promotion's letter may be a capital, "=" before it, and left out
// where there is no choice; a placement's letter may be small, and left out for a pawn.
Move parse_uci(const Position& position, std::string_view text);

// REQUIRES: position.is_legal(move). Disambiguated over all legal moves.
std::string to_san(const Position& position, Move move);
// Throws RulesError unless `text` names exactly one legal move. Signs of check, mate, en passant
// and of what an annotator thinks and superfluous but true disambiguation are ignored. Castling may
// be 0-0 too, a promotion a8Q, a8(Q) or a8/Q, the piece a figurine; the origin may be told in full
// (Nb1-c3, e2-e4, g1f3), and "x" may be missing (a pawn that takes then tells its file).
Move parse_san(const Position& position, std::string_view text);

// The move that parse_san() or, where that refuses the text, parse_uci() reads. Throws RulesError
// as the second does.
Move parse_move(const Position& position, std::string_view text);

// A game as far as it has been told: its start, its legal moves, and where they lead.
struct Line {
  // REQUIRES: the moves are legal in order.
  explicit Line(const Position& from, std::span<const Move> played = {})
      : start(from), position(from) {
    for (const Move move : played) play(move);
  }

  // REQUIRES: a legal move.
  void play(Move move);
  // Throws RulesError unless `uci` is a legal move and the game may go on (forced_outcome()).
  void play(std::string_view uci);
  // Empty while the game goes on.
  std::optional<Outcome> outcome(const ScoringTable& table) const {
    return position.outcome(table, past.occurrences(position));
  }

  Position start;
  std::vector<Move> moves;
  Position position;  // after the moves
  History past;       // what they have left behind
};

// A FEN, optionally followed by " moves" and UCI moves, each after spaces. Throws RulesError, also
// for a move after an end that is more than a claim.
Line parse_line(std::string_view text, RuleSet rules = {});

}  // namespace rules
