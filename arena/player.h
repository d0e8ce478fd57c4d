#pragma once
// The players of matches. A player is asked for its moves in all its games at once, so that a
// network evaluates their positions in one batch.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/types.h"

namespace arena {

// One game as the player to move sees it. Borrowed for the call.
struct GameView {
  int slot = 0;  // the same through the whole game
  const rules::Position* start = nullptr;
  const rules::Position* position = nullptr;  // not over
  std::span<const rules::Move> moves;         // from start to position
  const rules::ScoringTable* table = nullptr;
};

// Why another move stands in for an engine's answer.
enum class StandIn : std::uint8_t { kNone, kForNoMove, kForIllegalMove };

struct Choice {
  rules::Move move;       // legal; none where the player gives the game up
  std::string forfeit{};  // why it does: one line
  StandIn stand_in = StandIn::kNone;
};

// Owned and called by one thread.
class Player {
 public:
  virtual ~Player() = default;
  virtual std::string name() const = 0;
  // A game begins in the slot (>= 0, small); whatever was there is over. All its randomness comes
  // from `rng`.
  virtual void new_game(int slot, base::Rng rng) = 0;
  // Chooses for every game; `choices` has the same size.
  virtual void choose(std::span<const GameView> games, std::span<Choice> choices) = 0;
  // Told, before the first game, in how many slots games may be played at once.
  virtual void prepare(int /*slots*/) {}
  // Positions that its network was asked about so far; 0 where it has none.
  virtual std::int64_t evaluations() const { return 0; }
  // Whether its budget is time: then a thread plays one game after the other.
  virtual bool timed() const { return false; }
  // Whether it chooses faster for many games together. Where no player of a match does, a thread
  // plays one game after the other too: a player may hold much memory for each game.
  virtual bool batches() const { return true; }
};

// A player that looks at one game at a time, with a random stream for each.
class OneGamePlayer : public Player {
 public:
  void new_game(int slot, base::Rng rng) override;
  void choose(std::span<const GameView> games, std::span<Choice> choices) final;
  bool batches() const final { return false; }

 private:
  virtual Choice choose_move(const GameView& game, base::Rng& rng) = 0;
  std::vector<base::Rng> rngs_;  // by slot
};

// Makes one player for each thread that asks. May be called by several threads at once. Throws
// InputError or EnvironmentError where the player cannot be had.
using PlayerFactory = std::function<std::unique_ptr<Player>()>;

// Reads a scoring table from text; throws a std::runtime_error where it is none.
using ReadTable = std::function<rules::ScoringTable(const std::string& text)>;
// Reads a list of changes to Chess#'s own table.
inline rules::ScoringTable changes_to_chess_sharp(const std::string& text) {
  return rules::ScoringTable::from_changes(text);
}

// The players that need no network:
//   random                    any legal move
//   greedy                    GreedyPlayer
//   alphabeta:DEPTH           AlphaBetaPlayer by material, by expectiminimax where there are cards
//   uniform:SIMULATIONS       SearchPlayer with mcts::UniformEvaluator, blind to material: what
//                             search alone is worth
//   uci:COMMAND LINE          any UCI engine that knows the rule set
//   uci-fairy:COMMAND LINE    Fairy-Stockfish (UciPlayer tells how)
// An engine's command may be preceded by `nodes=N:` or `movetime=MILLISECONDS:` (100 if neither is
// given), by `timeout=SECONDS:` (10), the longest it may think beyond its movetime before it
// loses the game, by `hash=MIB:`, what it is told as Hash, and by `table=T:`, the scoring table
// that it is told instead of the match's, as `read_table` reads it. Empty where `spec` is none of
// these forms (a path then, perhaps); throws InputError where it is one, but badly filled in.
std::optional<PlayerFactory> baseline_player(std::string_view spec,
                                             const ReadTable& read_table = changes_to_chess_sharp);

}  // namespace arena
