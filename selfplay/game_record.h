#pragma once
// One finished game as it is stored: moves, the searches' targets and the outcome. No planes and no
// points, so that a new encoder or another scoring table can use old games.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcts/search.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "rules/types.h"

namespace selfplay {

struct PlyRecord {
  rules::Move played;                    // or the card that came, with nothing below
  std::vector<mcts::MoveWeight> policy;  // the search's target: weights > 0, sum 1; may be empty
  float root_value_stm = 0;              // the search's value of the position, in [-1, 1]
  std::array<float, rules::kOutcomes>
      root_outcomes_white{};  // the search's, by Outcome, sum 1 or 0
  bool is_target = false;     // a full search: `policy` is learned from
};

// "rules", "resignation", "fast_fifty", "tablebase"; the middle two only in games of others.
std::string_view name(rules::Adjudication ended);

struct GameRecord {
  std::int64_t id = 0;  // given by the store; 0 before
  int generation = 0;
  rules::RuleSet rules;
  std::string start_fen;
  rules::ScoringTable table;
  std::vector<PlyRecord> plies;
  rules::Outcome outcome = rules::Outcome::kImpasseEqual;
  rules::Adjudication ended = rules::Adjudication::kNone;
  std::uint64_t seed = 0;  // names the game's random stream

  // Throws RulesError where `start_fen` is not of these rules.
  rules::Position start() const;
};

// Returns the record without its id as one checksummed, compressed block. Policy weights and
// outcome shares are rounded to 1/65535 (and still sum to 1), values to 1/32767; encoding a decoded
// record changes nothing. REQUIRES: weights and shares in [0, 1], values in [-1, 1].
std::vector<std::byte> encode(const GameRecord& record);

// Takes any bytes: returns a record whose fields are all in range, or throws InputError saying what
// is wrong. (Whether the moves are legal is checked by replay().) Nothing is allocated before its
// size was checked.
GameRecord decode(std::span<const std::byte> block);

// Returns the positions of a game, the start first: plies + 1 of them. Throws InputError naming the
// first ply that is not legal.
std::vector<rules::Position> replay(const GameRecord& record);

// Whether there is nothing to settle for the side to move: its king is not attacked, no king can be
// taken, and what was played takes and promotes nothing. Of such positions an NNUE learns.
bool is_quiet(const rules::Position& position, rules::Move played);

// --- games that others have played, before a run learns from them ---

// What a game must be to count in a run.
struct GameTerms {
  rules::Repertoire repertoire;
  int generation = 0;  // the newest that may have been played
};

// Takes any bytes: returns the record of a whole game of self-play, or throws base::InputError
// saying what is wrong. The rules have played it again: each move is legal, as is each move of a
// search's policy, the game goes on until its last move and ends with the outcome that the record
// says, under a scoring table of 0 to 10 points.
GameRecord checked_game(std::span<const std::byte> block, const GameTerms& terms);

}  // namespace selfplay
