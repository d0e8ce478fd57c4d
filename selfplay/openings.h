#pragma once
// Where the games of a match begin.

#include <filesystem>
#include <optional>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "rules/rng.h"

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

// `count` different openings of random moves from a start (mirror images count as the same where
// they are like games), none of which loses a king at once or lets the game end. Without plies:
// `count` starts.
// Throws InputError where so few plies do not have so many.
std::vector<Opening> sample_openings(const OpeningChoice& choice, int count, rules::Rng rng);

// A book: each line as rules::parse_line() reads it; empty lines and lines that begin with # are
// left out. Throws InputError naming file and line, also where a line ends the game.
std::vector<Opening> read_openings(const std::filesystem::path& path, rules::RuleSet rules);

}  // namespace selfplay
