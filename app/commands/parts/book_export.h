#pragma once
// A book as files for others. All throw base::EnvironmentError where the file cannot be written.

#include <string>

#include "book/book.h"

namespace app {

// One self-contained page, to browse.
void write_book_page(const book::Book& book, const std::string& file);
// A game for each end of the book, on the cheapest way and unfinished, with the tags PointsWhite
// and Bounds.
void write_book_pgn(const book::Book& book, const std::string& file);
// A line for each position where the game goes on: bm, the best move; ce, a hundredth of points
// that the side to move has above half; c0, White's points and their bounds.
void write_book_epd(const book::Book& book, const std::string& file);

}  // namespace app
