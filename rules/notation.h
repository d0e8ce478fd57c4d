#pragma once
// Moves in words: UCI (e2e3, e7e8q, N@d1, R@e1,e2e4) and SAN (B@a1, Nbd2, exd5, e8=Q, O-O, R@e1,e4;
// a check or mate sign only where kings are kept safe). FEN is Position::from_fen and to_fen.

#include <string>
#include <string_view>

#include "rules/position.h"

namespace rules {

// Capital letters in the order of PieceType: "PNBRQK".
char letter(PieceType type);
std::string to_string(Square square);

std::string to_uci(Move move);
// Throws RulesError unless `text` is a legal move.
Move parse_uci(const Position& position, std::string_view text);

// REQUIRES: position.is_legal(move). Disambiguated over all legal moves.
std::string to_san(const Position& position, Move move);
// Throws RulesError unless `text` names exactly one legal move. A check or mate sign and
// superfluous but true disambiguation are read over.
Move parse_san(const Position& position, std::string_view text);

}  // namespace rules
