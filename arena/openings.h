#pragma once
// Where the games of a match begin.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/rng.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "selfplay/random_starts.h"
#include "tactics/alphabeta.h"

namespace arena {

struct OpeningChoice {
  rules::RuleSet rules;
  rules::ScoringTable table;
  int plies = 6;
  // The side to move must be within this of an even game by a one-ply search with captures
  // (value_stm).
  float greatest_imbalance = 0.35f;
};

// Draws different openings of random moves from a start (mirror images count as the same where they
// are like games), none of which loses a king at once or lets the game end. Without plies: any
// starts.
class OpeningSource {
 public:
  OpeningSource(const OpeningChoice& choice, base::Rng rng) : choice_(choice), rng_(rng) {}
  // The next one; empty where no other is found.
  std::optional<selfplay::Opening> next();
  // The next `count`, or fewer where `stop` (may be null) is set meanwhile. Throws InputError where
  // so few plies do not have so many.
  std::vector<selfplay::Opening> sample(int count, const std::atomic<bool>* stop = nullptr);

 private:
  std::optional<selfplay::Opening> draw();
  // By one ply (a turn where there are cards) and captures, for the side to move.
  double value_stm(const rules::Position& position);

  OpeningChoice choice_;
  base::Rng rng_;
  tactics::AlphaBetaSearch judge_{tactics::Evaluator(), 1, 1};
  std::unordered_set<std::uint64_t> seen_;
  std::int64_t attempts_ = 0;
};

// A book: each line as rules::parse_line() reads it; empty lines and lines that begin with # or ;
// are left out. Throws InputError naming file, line and column, also where the game is over after a
// line.
std::vector<selfplay::Opening> read_openings(const std::filesystem::path& path,
                                             rules::RuleSet rules);

// "book:DIR" or "book:DIR,within=POINTS": the ends of an opening book at which White expects 5
// points of ten, give or take POINTS (0.25), the cheapest way to each. Throws InputError where the
// text is wrong, the book is of other rules or a damaged one, or it has no such end.
std::vector<selfplay::Opening> book_openings(const std::string& text, rules::RuleSet rules);
inline constexpr std::string_view kBookOpenings = "book:";

}  // namespace arena
