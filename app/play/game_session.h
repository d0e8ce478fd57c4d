#pragma once
// A game between a person and an engine, apart from how they see it: what `play` and `serve` share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/play/backend.h"
#include "app/play/board_view.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "rules/notation.h"
#include "rules/pgn.h"

namespace app {

// How far what the engine expects may lie from an impasse that it agrees to, in points.
inline constexpr double kFastFiftyPoints = 0.1;

struct GameSettings {
  rules::RuleSet rules;
  rules::ScoringTable table;
  // The person's; none: both sides are played by hand.
  std::optional<rules::Color> side = rules::Color::kWhite;
  int level = 4;           // the first is 1
  int budget = 0;          // instead of the level's, where positive; the best move is played
  double move_ms = 0;      // instead of both, where positive: time for a move; likewise
  std::uint64_t seed = 1;  // of what the levels and the first moves leave to chance
};

// A plain value: a copy is a game of its own. Does not own the engine, which is passed to what
// thinks.
class GameSession {
 public:
  // Begins a game. `levels`: of the engine that will be passed.
  GameSession(const GameSettings& settings, const PlayLevels& levels);

  const GameSettings& settings() const { return settings_; }
  const rules::Line& line() const { return line_; }
  const rules::Position& now() const { return line_.position; }
  // Empty while the game goes on. Where the rules let players claim an end it ends the game; a game
  // that was begun there or beyond, or played on by the person, has no such end any more.
  std::optional<rules::Outcome> outcome() const {
    if (adjudged_) return adjudged_->outcome;
    return plays_on_ ? now().forced_outcome(settings_.table) : line_.outcome(settings_.table);
  }
  // How its players ended the game off the board.
  rules::Adjudication adjudication() const {
    return adjudged_ ? adjudged_->how : rules::Adjudication::kNone;
  }
  // The game goes on, or does with the person's move, which leaves an end unclaimed.
  bool can_go_on() const {
    if (!outcome()) return true;
    const bool persons_turn = !settings_.side || now().side_to_move() == *settings_.side;
    return !adjudged_ && persons_turn && !now().forced_outcome(settings_.table);
  }
  bool is_engines_turn() const {
    return settings_.side && !outcome() && now().side_to_move() != *settings_.side;
  }
  // The budget and temperature of the level, or of what stands instead of it; a budget of 0: time
  // alone counts.
  PlayLevel level() const;

  // A new game, with the same settings.
  void begin();
  // A game that has come this far; where a card is being drawn there, it comes. REQUIRES: the
  // line's rules are those of the settings.
  void begin(rules::Line line);
  // Plays a move, SAN or UCI; after a draw the card comes by chance, too. Throws base::InputError
  // where it is not legal or the game cannot go on.
  void play(const std::string& text);
  // The same. REQUIRES: a legal move of a game that can go on.
  void play(rules::Move move);
  // Takes back to the person's last decision, or what ended the game off the board alone; where
  // both sides are played by hand, one ply. A card that was drawn comes by chance again if it is
  // drawn again. Throws base::InputError where there is nothing to take back.
  void undo();
  // Keeps the first `plies` moves. REQUIRES: there are so many.
  void cut(std::size_t plies);
  // The side to move resigns, or the person's where it is given. REQUIRES: the game goes on.
  void resign();
  // The person asks to agree that an impasse is inevitable (a fast-fifty). The engine accepts where
  // it expects for itself, by the search of a hint, what that impasse would pay to within
  // kFastFiftyPoints; where both sides are played by hand it is agreed. Returns whether the game is
  // over by it. REQUIRES: the game goes on.
  bool propose_fast_fifty(engine::Engine& engine, std::optional<double> max_ms = {});
  void set_side(std::optional<rules::Color> side) { settings_.side = side; }
  // From now on the level counts. REQUIRES: from 1 to the number of levels.
  void set_level(int level);
  // From now on the time counts. REQUIRES: positive.
  void set_move_time(double ms) { settings_.move_ms = ms; }
  void set_table(const rules::ScoringTable& table) { settings_.table = table; }

  // Thinks for the side to move and draws one of the best moves as the level says; all levels vary
  // the first plies. Does not play it. `max_ms` bounds the time too.
  // REQUIRES: the game goes on.
  tactics::RootMove choose(engine::Engine& engine, std::optional<double> max_ms = {});
  // The best move by the budget of a hint, or the level's where that is larger. The engine forgets
  // it, so that its later answers are its level's. REQUIRES: the game goes on.
  tactics::RootMove hint(engine::Engine& engine, std::optional<double> max_ms = {}) const;
  // What the report of a move of now() says of the game.
  Evaluation evaluation_of(const tactics::RootMove& move) const;

  // The game as PGN; the players are "Human" and the engine at its level.
  rules::PgnGame pgn(std::string_view event) const;

 private:
  struct Adjudged {
    rules::Outcome outcome;
    rules::Adjudication how;
  };

  void take_card();
  // The best moves, as many of them with an order that counts.
  std::vector<tactics::RootMove> think(engine::Engine& engine, int budget, int many,
                                       std::optional<double> max_ms) const;

  GameSettings settings_;
  PlayLevels levels_;
  base::Rng rng_;
  rules::Line line_{rules::Position()};
  std::optional<Adjudged> adjudged_;
  bool plays_on_ = false;  // past ends that players may claim
};

// A line of moves from a position, in SAN between spaces.
std::string in_san(rules::Position position, const std::vector<rules::Move>& line);

}  // namespace app
