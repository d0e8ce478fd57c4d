#pragma once
// Games as text: PGN export and import.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"

namespace rules {

struct PgnGame {
  std::string event = "?", site = "?", date = "????.??.??", round = "?", white = "?", black = "?";
  // Further tags in the order of the file; none of those that the fields below stand for.
  std::vector<std::pair<std::string, std::string>> more_tags;
  RuleSet rules;
  ScoringTable table;
  Position start = Position::start();
  std::vector<Move> moves;
  std::optional<Outcome> outcome;  // empty: unfinished ("*")
  Adjudication adjudication = Adjudication::kNone;
};

// kApp: what the app of Chess#'s inventor reads. Tags: the seven-tag roster and Variant ("Chess♯"),
// and no others but SetUp and FEN; the result as points with an en dash ("10–0"); a fast-fifty in a
// comment. It plays Chess# and its family.
enum class PgnDialect : std::uint8_t { kOwn, kApp };

// REQUIRES: the moves are legal in order; `start` has the game's rules. Ends with an empty line.
// Tags: the seven-tag roster; Variant ("Chess#", "Chess#+sprint"; none for chess); WhiteScore and
// BlackScore under the table; Termination, which begins with the outcome's name ("white_wins by
// resignation"); SetUp and FEN where the game begins elsewhere than at the start; ScoringTable
// where it is not the set's own. The result is 1-0 where White scored more than half of the points,
// else 0-1; of just a half it is 1/2-1/2 where kings are kept safe. The card that comes is a word
// of its own ("?N N@d4"); that it was drawn is not written. Throws RulesError where the dialect
// does not have the rule set.
std::string to_pgn(const PgnGame& game, PgnDialect dialect = PgnDialect::kOwn);

// Reads a file of games one by one. Comments, variations, NAGs and lines that begin with % are read
// over. Every move must be legal, and what the tags and the result say must be what the moves and
// the scoring table come to; games go on past what players may claim (Position::forced_outcome()).
// The result may be of either dialect, with any dash, and be told by its tag alone. A game that the
// moves do not end is what Termination says "by tablebase"; by points a resignation where they are
// a win's, else a fast-fifty; with 1-0 or 0-1 a fast-fifty where Termination or the last comment
// says so, else a resignation; with * unfinished. A draw with safe kings counts as a fast-fifty.
class PgnReader {
 public:
  // `in` is borrowed. `untagged`: the rule set of games without a Variant tag.
  explicit PgnReader(std::istream& in, RuleSet untagged = {}) : in_(in), untagged_(untagged) {}

  // The next game; empty at the end of the file. Throws RulesError that begins with "game N, line
  // L, column C: "; a further call goes on with the game after the faulty one.
  std::optional<PgnGame> next();

 private:
  friend class PgnGameReader;

  struct Place {
    long line = 0;
    std::size_t column = 0;
  };

  int peek();
  int get();
  Place here() const;
  bool at_tag() const;
  void skip_space();
  void skip_line();
  void skip_game();
  std::string comment();
  std::string line_comment();
  void skip_variation();
  std::string word();

  std::istream& in_;
  RuleSet untagged_;
  std::string text_;  // the line that is being read, with its end
  std::size_t at_ = 0;
  long line_ = 0;
  long game_ = 0;
  bool fault_ = false;    // the game started last was not read to its end
  bool in_tags_ = false;  // nor its tags
  Place about_;           // what is being checked
};

}  // namespace rules
