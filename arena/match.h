#pragma once
// Matches of two players in pairs: each opening is played with both colours, and where there are
// cards both games have them in the same order, each colour's its own, so that luck cancels.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/player.h"
#include "arena/side_by_side.h"
#include "arena/statistics.h"
#include "base/errors.h"
#include "rules/outcome.h"
#include "rules/pgn.h"
#include "tablebase/tables.h"

namespace arena {

struct MatchConfig {
  int games = 100;  // even: pairs of one opening; 0, with an SPRT: until it is decided
  int threads = 1;
  int games_at_once = 64;  // in each thread; one where a player is timed() or none batches()
  std::uint64_t seed = 1;
  rules::RuleSet rules;
  rules::ScoringTable table;
  int opening_plies = 6;  // random ones, where there is no book
  // The book, taken in turn and again from its beginning.
  std::vector<selfplay::Opening> openings;
  // Ends a game as soon as it knows what that is worth. Of the match's rules and table; null: none.
  std::shared_ptr<const tablebase::Tables> tablebase;
  std::optional<Sprt> sprt;  // stops the match once it is decided
  bool keep_games = false;   // in the result
  // Games of an earlier start of this match, which are counted and not played again.
  std::vector<MatchGame> played;
  // Told of each game as it ends, by one thread at a time; may be empty.
  std::function<void(const MatchGame&)> on_game;

  // No book, no random moves and one start: players without chance play one pair again and again,
  // and the intervals take the copies for independent.
  bool begins_alike() const {
    return openings.empty() && opening_plies == 0 && rules.setup != rules::Setup::kShuffled &&
           rules.entry != rules::Entry::kCard;
  }
};

using OutcomeCounts = std::array<int, rules::kOutcomes>;

// The result of the pairs 0, 1, … before the first unfinished one, so that short games do not count
// more than long ones where a match is stopped.
struct MatchResult {
  std::string a, b;
  rules::RuleSet rules;
  rules::ScoringTable table;
  PairStatistics pairs;     // A's shares
  OutcomeCounts a_white{};  // of the games in which A had White, by rules::Outcome
  OutcomeCounts a_black{};  // … Black
  int forfeits_a = 0;       // games that A lost by a crash, a time-out or an illegal move
  int forfeits_b = 0;
  std::array<StandIns, 2> stand_ins;  // A's and B's
  std::optional<Sprt> sprt;
  SprtVerdict verdict = SprtVerdict::kUndecided;
  // Network evaluations of each and the moves they were made for, once the match is over; in all
  // games of this start, also those that are not counted. Zero moves: not measured.
  std::int64_t evaluations_a = 0, evaluations_b = 0;
  std::int64_t moves_a = 0, moves_b = 0;
  bool stopped = false;     // before its end
  bool no_opening = false;  // because no other opening was found
  std::vector<MatchGame> kept;

  int games() const { return 2 * pairs.pairs(); }
  Estimate points() const;  // of ten, A's
  Estimate elo() const;     // A's over B, logistic in points / 10
};

// A player could not go on, such as an engine that does not start again. Holds what was played
// until then.
class MatchFailed : public base::EnvironmentError {
 public:
  MatchFailed(const std::string& message, MatchResult so_far)
      : base::EnvironmentError(message), so_far_(std::move(so_far)) {}
  const MatchResult& so_far() const { return so_far_; }

 private:
  MatchResult so_far_;
};

// As PGN. Event "Match", round: the game's number from 1; "OpeningPlies": how many moves were
// given. A forfeit is a resignation, with its reason in a tag "Forfeit".
rules::PgnGame pgn_game(const MatchGame& game, const MatchResult& match);

// Keys: a, b, rules, games, points, elo (mean, low, high), a_white, a_black (counts by outcome),
// forfeits_a, forfeits_b, stand_ins_a, stand_ins_b (no_move, illegal), evaluations_per_move_a,
// evaluations_per_move_b, table, stopped and, with an SPRT, sprt (elo0, elo1, llr, lower, upper,
// verdict).
nlohmann::json to_json(const MatchResult& result);

// Plays it. Each thread makes its own A and B, so that players need not be shared; a game depends
// on the seed, its number and the players alone. `progress` (may be empty) is called after every
// pair in turn, by one thread at a time. `stop` (may be null) ends the match early. What a player
// or its factory throws ends the match and comes out here; an EnvironmentError as MatchFailed,
// where pairs were counted before. Throws InputError where the config makes no match.
MatchResult play_match(const MatchConfig& config, const PlayerFactory& a, const PlayerFactory& b,
                       const std::function<void(const MatchResult&)>& progress = {},
                       const std::atomic<bool>* stop = nullptr);

}  // namespace arena
