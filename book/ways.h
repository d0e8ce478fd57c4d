#pragma once
// Ways through a book: as games take them, from its start as that was given, not as an image.

#include <optional>
#include <vector>

#include "base/rng.h"
#include "book/book.h"

namespace book {

// The temperature at which shares() are shown, in points.
inline constexpr double kShownTemperature = 0.1;

struct Way {
  std::vector<rules::Move> moves;  // from Terms::start
  rules::Position end;             // after them
  int at = 0;                      // the last position of the book on it
};

// The node's move where it has come as `played`: as the node has it, or its image. REQUIRES:
// `played` is the node's position but for its clock, or the image of that.
rules::Move as_played(const rules::Position& played, const Node& node, rules::Move move);

// The cheapest way to that position.
Way way_to(const Book& book, int number);

// The index of the best move of the book there; empty where the others are better, or there is
// none.
std::optional<std::size_t> best_edge(const Book& book, const Node& node);
// The best moves from there, where it has come as `played`, the last of them outside the book.
std::vector<rules::Move> main_line(const Book& book, const rules::Position& played, int number);
// The outcomes expected at the end of the main line.
rules::Outcomes outcomes(const Book& book, int number);

// How likely each of the book's moves is, and at last all others, where moves are drawn by
// exp(-points lost / temperature). REQUIRES: the game goes on there.
std::vector<double> shares(const Book& book, const Node& node, double temperature);
// The number of known moves that lose at most so much: an image is no other move. The moves outside
// the book count as one.
int moves_within(const Book& book, const Node& node, double points);

// The ends of the book, without moves of their own, at which the game goes on: the cheapest first.
std::vector<int> ends(const Book& book);
// Leaves out the ends at which White's points are further than `most` from an even game's.
std::vector<int> balanced_ends(const Book& book, double most);

// A way out of the book whose moves are drawn by their shares; the last is one outside it, unless
// the game is over.
Way draw_way_out(const Book& book, double temperature, base::Rng& rng);

}  // namespace book
