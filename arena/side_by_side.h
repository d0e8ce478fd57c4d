#pragma once
// Many games on one thread, move by move side by side, so that a player sees all its positions at
// once.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/player.h"
#include "base/rng.h"
#include "base/threads.h"
#include "selfplay/random_starts.h"
#include "tablebase/tables.h"

namespace arena {

// Moves that stood in for a player's answer (StandIn).
struct StandIns {
  int no_move = 0;
  int illegal = 0;
};

struct MatchGame {
  int number = 0;          // from 0; games 2p and 2p + 1 of a match are pair p
  bool a_is_white = true;  // in even ones
  rules::Position start;
  std::vector<rules::Move> moves;  // the opening's first
  int opening_plies = 0;
  std::array<StandIns, 2> stand_ins{};  // A's and B's
  rules::Outcome outcome = rules::Outcome::kImpasseEqual;
  std::string forfeit{};      // why the loser gave up, where it did
  bool by_tablebase = false;  // ended where a tablebase knew the outcome
};

// A list of games that several threads play.
class GameList {
 public:
  struct Task {
    int number = 0;
    selfplay::Opening opening;
    std::array<base::Rng, 2> rngs;  // A's and B's
    base::Rng cards;                // shuffles both decks: games with the same have the same cards
  };

  virtual ~GameList() = default;
  virtual bool stopped() const = 0;
  // The next game to play; empty where there is none.
  virtual std::optional<Task> next() = 0;
  virtual void finish(MatchGame game) = 0;
  // Told how many moves were just made.
  virtual void moved(std::size_t /*moves*/) {}
};

// Plays games of the list until none is left, it is stopped, or one of the threads has failed:
// `at_once` games, or one where a player is timed() or none batches(). Players: A and B, or A
// alone, which then plays both colours. A game ends as soon as `tablebase` (null: none) knows what
// it is worth. Returns how many moves A and B have made.
std::array<std::int64_t, 2> play_side_by_side(GameList& list, std::span<Player* const> players,
                                              int at_once, const rules::ScoringTable& table,
                                              const base::Threads& threads,
                                              const tablebase::Tables* tablebase = nullptr);

}  // namespace arena
