#pragma once
// Games as text: PGN export and import.

#include <istream>
#include <optional>
#include <string>
#include <string_view>
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

// REQUIRES: the moves are legal in order; `start` has the game's rules. Ends with an empty line.
// Tags: the seven-tag roster; Variant ("Chess#", "Chess#+sprint"; none for chess); WhiteScore and
// BlackScore under the table; Termination, which begins with the outcome's name ("white_wins by
// resignation"); SetUp and FEN where the game begins elsewhere than at the start; ScoringTable
// where it is not the set's own. The result is 1-0 where White scored more than half of the points,
// else 0-1; of just a half it is 1/2-1/2 where kings are kept safe. The card that comes is a word
// of its own ("?N N@d4"); that it was drawn is not written.
std::string to_pgn(const PgnGame& game);

// Reads a file of games one by one. Comments, variations, NAGs and lines that begin with % are read
// over. Every move must be legal, and what the tags and the result say must be what the moves and
// the scoring table come to; a game that the moves do not end is resigned, or a fast-fifty or
// unfinished where its tags say so; a draw where kings are kept safe counts as a fast-fifty.
class PgnReader {
 public:
  // `in` is borrowed. `untagged`: the rule set of games without a Variant tag.
  explicit PgnReader(std::istream& in, RuleSet untagged = {}) : in_(in), untagged_(untagged) {}

  // The next game; empty at the end of the file. Throws RulesError that begins with "game N, line
  // L: "; a further call goes on with the game after the faulty one.
  std::optional<PgnGame> next();

 private:
  friend class PgnGameReader;

  int peek() { return in_.peek(); }
  int get();
  void skip_space();
  void skip_line();
  void skip_game();
  void skip_comment();
  void skip_variation();
  std::string word();
  std::pair<std::string, std::string> tag();

  std::istream& in_;
  RuleSet untagged_;
  long line_ = 1;
  bool at_line_start_ = true;
  long game_ = 0;
  bool fault_ = false;    // the game started last was not read to its end
  bool in_tags_ = false;  // nor its tags
  long tag_line_ = 0;     // what is being checked is this line's tag; 0: it is at line_
};

}  // namespace rules
