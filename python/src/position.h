#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/notation.h"
#include "rules/position.h"

namespace python {

// Python's Position: a game up to a position, which can be taken back move by move.
class GamePosition {
 public:
  explicit GamePosition(const rules::Position& start) : line_(start) {}

  const rules::Position& now() const { return line_.position; }
  const rules::Position& start() const { return line_.start; }
  const std::vector<rules::Move>& moves() const { return line_.moves; }
  const rules::History& past() const { return line_.past; }
  // How often the game has come to the position, as for rules::Position::outcome().
  int occurrences() const { return line_.past.occurrences(line_.position); }
  std::optional<rules::Outcome> outcome(const rules::ScoringTable& table) const {
    return line_.outcome(table);
  }
  // Whether there is an outcome, which does not depend on the table.
  bool is_over() const { return outcome({}).has_value(); }
  // None where the game is over.
  rules::MoveList legal_moves() const {
    return is_over() ? rules::MoveList() : now().legal_moves();
  }

  // REQUIRES: a legal move.
  void push(rules::Move move) {
    before_.push_back(line_.position);
    line_.play(move);
  }
  // Throws rules::RulesError unless `uci` is a legal move and the game may go on.
  void push(std::string_view uci) {
    const rules::Position before = line_.position;
    line_.play(uci);
    before_.push_back(before);
  }
  // Takes the last move back and returns it. REQUIRES: there is one.
  rules::Move pop();

 private:
  rules::Line line_;
  std::vector<rules::Position> before_;  // of each move
};

}  // namespace python
