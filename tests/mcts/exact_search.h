#pragma once
// An independent judge of the solver: plain and-or search over the rules alone.

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "rules/move_list.h"
#include "rules/outcome.h"
#include "rules/position.h"

namespace mcts {

class ExactSearch {
 public:
  // Gives up (answers false) after so many positions.
  explicit ExactSearch(const rules::ScoringTable& table, long budget = 2000000)
      : table_(table), budget_(budget) {}

  // The player can force at least `points` of ten within `plies`.
  bool forces(const rules::Position& position, rules::Color player, double points, int plies) {
    if (points <= 0) return true;
    if (const auto outcome = position.outcome(table_)) {
      const double white = table_.white_points(*outcome);
      return (player == rules::Color::kWhite ? white : 10 - white) >= points;
    }
    if (plies == 0 || --budget_ < 0) return false;
    const std::uint64_t key = memo_key(position, player, points, plies);
    if (const auto known = memo_.find(key); known != memo_.end()) return known->second;
    const bool his_turn = position.side_to_move() == player;
    bool result = !his_turn;
    for (const rules::Move move : position.legal_moves()) {
      if (forces(position.after(move), player, points, plies - 1) == his_turn) {
        result = his_turn;
        break;
      }
    }
    if (budget_ >= 0) memo_[key] = result;
    return result;
  }

  // The mover's points under best play, if that can be shown within `plies`.
  std::optional<double> points_of_mover(const rules::Position& position, int plies) {
    const rules::Color mover = position.side_to_move();
    for (const double white : table_.points_white) {
      const double points = mover == rules::Color::kWhite ? white : 10 - white;
      if (forces(position, mover, points, plies) && forces(position, ~mover, 10 - points, plies)) {
        return points;
      }
    }
    return std::nullopt;
  }

 private:
  static std::uint64_t memo_key(const rules::Position& position, rules::Color player, double points,
                                int plies) {
    std::uint64_t key = position.key();
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(position.halfmove_clock()),
          static_cast<std::uint64_t>(rules::index(player)),
          static_cast<std::uint64_t>(points * 1000), static_cast<std::uint64_t>(plies)}) {
      key = (key ^ part) * 0x9e3779b97f4a7c15;
      key ^= key >> 29;
    }
    return key;
  }

  rules::ScoringTable table_;
  long budget_;
  std::unordered_map<std::uint64_t, bool> memo_;
};

}  // namespace mcts
