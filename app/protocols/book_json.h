#pragma once
// An opening book as JSON: for its own page and for that of `serve`.

#include <nlohmann/json_fwd.hpp>

#include "book/book.h"

namespace app {

// How far it has grown and what comes of it: positions, depth, value, low and high (White's points
// of ten), the settings, whether the first position is the image of the start (mirrored), and a
// line for people (text). REQUIRES: the book has its start.
nlohmann::ordered_json book_json(const book::Book& book);

// The positions at most so many plies on from that one, by number: fen, value, low and high, over,
// outcomes and line (SAN) at the end of the best moves, within: known moves that lose at most 0.05
// and 0.1 points; moves of the book, the best first: uci, san, to, whether that has it mirrored,
// value, low, high, points lost and share (book::shares()); others: the best of the moves outside
// the book, likewise, and their count (mirror images once); null where there is none.
nlohmann::ordered_json book_positions_json(const book::Book& book, int number, int plies);
// All positions.
nlohmann::ordered_json book_positions_json(const book::Book& book);

}  // namespace app
