#pragma once
// Where the games of a match begin.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <unordered_set>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "rules/rng.h"
#include "selfplay/players/alpha_beta.h"

namespace selfplay {

struct Opening {
  rules::Position start;
  std::vector<rules::Move> moves;  // played before the players are asked

  rules::Position position() const;  // after them
};

struct OpeningChoice {
  rules::RuleSet rules;
  rules::ScoringTable table;
  int plies = 6;
  // The side to move must be within this of an even game by a one-ply search with captures
  // (value_stm).
  float greatest_imbalance = 0.35f;
};

// So many uniformly random plies from a start, none of which loses the king at once; empty where
// the line ends the game or leaves a king to be taken.
std::optional<Opening> random_line(rules::RuleSet rules, const rules::ScoringTable& table,
                                   int plies, rules::Rng& rng);

// A random position of few pieces, from which games often end as impasses or stalemates: kings, up
// to three pieces and four pawns a side anywhere, nothing in reserve, the clock already running.
// The game is not over and no king can be taken.
rules::Position random_ending(rules::RuleSet rules, const rules::ScoringTable& table,
                              rules::Rng& rng);

// Draws different openings of random moves from a start (mirror images count as the same where they
// are like games), none of which loses a king at once or lets the game end. Without plies: any
// starts.
class OpeningSource {
 public:
  OpeningSource(const OpeningChoice& choice, rules::Rng rng) : choice_(choice), rng_(rng) {}
  // The next one; empty where no other is found.
  std::optional<Opening> next();

 private:
  std::optional<Opening> draw();

  OpeningChoice choice_;
  rules::Rng rng_;
  AlphaBeta judge_;
  std::unordered_set<std::uint64_t> seen_;
  std::int64_t attempts_ = 0;
};

// The first `count` openings of an OpeningSource. Throws InputError where so few plies do not have
// so many.
std::vector<Opening> sample_openings(const OpeningChoice& choice, int count, rules::Rng rng);

// A book: each line as rules::parse_line() reads it; empty lines and lines that begin with # are
// left out. Throws InputError naming file and line, also where a line ends the game.
std::vector<Opening> read_openings(const std::filesystem::path& path, rules::RuleSet rules);

}  // namespace selfplay
