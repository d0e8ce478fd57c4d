#pragma once
// Random starts of games.

#include <memory>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "selfplay/selfplay_config.h"

namespace selfplay {

struct Opening {
  rules::Position start;
  std::vector<rules::Move> moves;  // played before the players are asked

  rules::Position position() const;  // after them
};

// Positions of a book from which games may begin; null: there is no book. Shared by threads.
using BookStarts = std::shared_ptr<const std::vector<rules::Position>>;

// Returns a line of `plies` uniformly random plies from a start, none of which loses the king at
// once, and a few more where a turn would stay unfinished; empty where the line ends the game or
// leaves a king that can be captured. Cards come by the numbers left in the deck.
std::optional<Opening> random_line(rules::RuleSet rules, const rules::ScoringTable& table,
                                   int plies, base::Rng& rng);

// Returns the position after such a line, of `least` to `most` plies, drawing until one is found; a
// first position where a game from a file seems to have none. REQUIRES: most >= least.
rules::Position random_opening(rules::RuleSet rules, const rules::ScoringTable& table, int least,
                               int most, base::Rng& rng);

// Returns a random position of few pieces, from which games often end as impasses or stalemates:
// kings, up to three pieces and four pawns a side anywhere, nothing in reserve (where there are
// cards up to two in each deck), a random halfmove clock. The game is not over and no king can be
// captured. A first position where a game from a file seems to have none.
rules::Position random_ending(rules::RuleSet rules, const rules::ScoringTable& table,
                              base::Rng& rng);

// Returns a random middlegame, nothing in reserve: kings on their first rank, the other pieces on
// the first three, pawns advanced by up to two squares on different files. Both sides lack the same
// pieces, a third of them on average, and as many pawns, or one has a pawn less. The game is not
// over and no king can be captured; a first position as above.
rules::Position random_middlegame(rules::RuleSet rules, const rules::ScoringTable& table,
                                  base::Rng& rng);

// Returns, by the config's shares, a position of the book (all equally likely), a random ending or
// a random middlegame; empty for the other games, which begin as the caller has them begin. A share
// of 0, or no book, takes no random number.
std::optional<rules::Position> draw_given_start(const SelfPlayConfig& config,
                                                const BookStarts& book, rules::RuleSet rules,
                                                const rules::ScoringTable& table, base::Rng& rng);

}  // namespace selfplay
