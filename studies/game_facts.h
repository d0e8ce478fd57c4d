#pragma once
// What a study asks of one game, and which games are the same.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/outcome.h"
#include "rules/position.h"
#include "selfplay/game_record.h"
#include "studies/estimates.h"
#include "studies/piece_value_fit.h"

namespace studies {

// How one side brought its pieces in.
struct SideFacts {
  // Which of the side's own turns placed it, from 1; 0 where none did.
  int king_turn = 0;
  int queen_turn = 0;
  int placed_turn = 0;  // and which emptied its reserve
  // Placements by piece (rules::PieceType) and file.
  std::array<std::array<int, 8>, rules::kPieceTypes> placements{};
  std::optional<bool> bishops_on_one_colour;  // where both were placed
  int promotions = 0;                         // all
  int underpromotions = 0;                    // those to another piece than a queen
};

// The depths at which openings are compared, in plies.
inline constexpr std::array<int, 5> kDepths{1, 2, 4, 8, 16};

constexpr bool is_impasse(rules::Outcome outcome) {
  return outcome == rules::Outcome::kImpasseBlackMore || outcome == rules::Outcome::kImpasseEqual ||
         outcome == rules::Outcome::kImpasseWhiteMore;
}

struct GameFacts {
  std::uint64_t seed = 0;  // the record's; no other game of the study has it
  // Mirror images are the same, where the rules do not know left from right: a game, its first move
  // (0: none, or games begin differently), its position after the opening, and after each of
  // kDepths plies (or at its end).
  std::uint64_t game = 0;
  std::uint64_t first_move = 0;  // first_image()
  std::uint64_t opening = 0;
  std::array<std::uint64_t, kDepths.size()> at_depth{};
  rules::Outcome outcome = rules::Outcome::kImpasseEqual;  // under the table it was played with
  rules::Position end;
  int plies = 0;
  std::array<SideFacts, 2> sides;        // by colour
  std::vector<MaterialSample> material;  // quiet positions of the game, which is their cluster

  // Another table's piece values may decide an impasse otherwise.
  rules::Outcome outcome_under(const rules::ScoringTable& table) const;
  double points_white(const rules::ScoringTable& table) const {
    return table.white_points(outcome_under(table));
  }
  // Games are independent draws, also those that came out the same: each is a cluster of its own.
  Sample sample(double value) const { return {first_move, seed, value}; }
};

// Move::raw() of the move from `start` or, where the start is its own mirror image, of the move's
// image, whichever is less.
std::uint64_t first_image(const rules::Position& start, rules::Move move);

GameFacts facts_of(const selfplay::GameRecord& game, int opening_plies);

// The number of games that differ from each other.
std::size_t distinct_games(std::span<const GameFacts> games);

// How many different positions games come to after so many plies, and the entropy of these in nats;
// its exponential is an effective number.
struct Variety {
  int plies = 0;
  std::size_t different = 0;
  double nats = 0;
};
// After each of kDepths.
std::array<Variety, kDepths.size()> varieties(std::span<const GameFacts> games);

// White's points of ten under the table with their 95 % interval.
arena::Estimate points_white(std::span<const GameFacts> games, const rules::ScoringTable& table);

}  // namespace studies
