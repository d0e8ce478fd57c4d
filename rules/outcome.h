#pragma once
// What happened in a game (Outcome), kept apart from what it is worth (ScoringTable).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "rules/types.h"

namespace rules {

// In the order of the rule sheet's table; White's points rise with it under the default table.
enum class Outcome : std::uint8_t {
  kBlackWins,
  kWhiteStalemated,
  kImpasseBlackMore,
  kImpasseEqual,
  kImpasseWhiteMore,
  kBlackStalemated,
  kWhiteWins
};
inline constexpr int kOutcomes = 7;
constexpr int index(Outcome o) { return static_cast<int>(o); }
using Outcomes = std::array<float, kOutcomes>;  // their probabilities, by Outcome; sum 1
constexpr Outcomes certain(Outcome outcome) {
  Outcomes outcomes{};
  outcomes[static_cast<std::size_t>(outcome)] = 1;
  return outcomes;
}
// The index in the player's order (loses ... wins) of the outcome that has index i in White's; its
// own inverse.
constexpr std::size_t outcome_seen_by(std::size_t i, Color player) {
  return player == Color::kWhite ? i : kOutcomes - 1 - i;
}
// The probabilities in the player's own order, or from that order back in White's.
constexpr Outcomes outcomes_seen_by(const Outcomes& outcomes, Color player) {
  Outcomes seen{};
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = outcomes[outcome_seen_by(i, player)];
  return seen;
}
constexpr Outcome win_of(Color player) {
  return player == Color::kWhite ? Outcome::kWhiteWins : Outcome::kBlackWins;
}

// The names of `inspect`: "white_wins", "stalemate_white_stalemated", "impasse_equal", …
std::string_view name(Outcome outcome);

// How a game ended: by the rules, or adjudicated where the moves end.
enum class Adjudication : std::uint8_t { kNone, kResignation, kFastFifty, kTablebase };
inline constexpr int kAdjudications = 4;

// What the seven outcomes pay, and the piece values that decide an impasse. A plain value: no part
// of the program has one built in. The default is Chess#'s; RuleSet::table() has each set's own.
struct ScoringTable {
  // White's points of ten, by Outcome; Black has the rest.
  std::array<double, kOutcomes> points_white{0, 2, 3, 4, 7, 8, 10};
  // Pawn, knight, bishop, rook, queen on the board.
  std::array<double, 5> material{1, 3, 3, 5, 9};

  double white_points(Outcome o) const { return points_white[static_cast<std::size_t>(index(o))]; }
  // Expected, where the outcomes come with these probabilities.
  double white_points(const Outcomes& probabilities) const {
    double points = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      points += static_cast<double>(probabilities[i]) * points_white[i];
    }
    return points;
  }
  bool operator==(const ScoringTable&) const = default;

  // All values under the keys that set() takes.
  std::array<std::pair<std::string_view, double>, kOutcomes + 5> entries() const;
  // A list of changes to `standard`, "impasse_equal=4.9,stalemate=2.2,bishop=3.25"; "default" or an
  // empty list is `standard` itself. Throws RulesError naming key, value and expectation, also
  // where check() does.
  static ScoringTable from_changes(std::string_view changes, const ScoringTable& standard);
  static ScoringTable from_changes(std::string_view changes) { return from_changes(changes, {}); }
  // Makes one change, "bishop=3.25", without check(), for others may follow. Throws RulesError.
  void set(std::string_view change);
  // Throws RulesError where an outcome pays more than a win, or less than a loss: search and
  // players take a king that can be taken without looking further.
  void check() const;
  // The shortest such list; "default" for `standard`.
  std::string to_changes(const ScoringTable& standard) const;
  std::string to_changes() const { return to_changes({}); }
};

// Points of ten for White <-> value for the side to move, scaled to [-1, 1]. (The other viewpoint's
// value is the negative.)
constexpr double value_stm(double points_white, Color side_to_move) {
  const double white = points_white / 5.0 - 1.0;
  return side_to_move == Color::kWhite ? white : -white;
}
constexpr double points_white(double value_stm, Color side_to_move) {
  return 5.0 * (1.0 + (side_to_move == Color::kWhite ? value_stm : -value_stm));
}

}  // namespace rules
