#pragma once
// The one place where positions become numbers and moves become policy indices, for play and for
// training alike. Everything is seen from the mover's side: for Black the board is flipped
// top–bottom and the colours are exchanged, so "own first row" is always row 0.

#include <array>
#include <cstdint>
#include <string_view>

#include "rules/outcome.h"
#include "rules/position.h"

namespace nn {

// Board planes, each a set of squares. Named groups in this order:
enum Plane : int {
  kOwnMen = 0,              // 6: pawn, knight, bishop, rook, queen, king
  kEnemyMen = kOwnMen + 6,  // 6
  kOwnReserve =
      kEnemyMen + 6,  // 8: K, Q, R, 2nd R, B, 2nd B, N, 2nd N: where one in hand could stand
  kEnemyReserve = kOwnReserve + 8,  // 8
  kOwnAttacks = kEnemyReserve + 8,  // 6: squares attacked by own pawns, knights, … king
  kEnemyAttacks = kOwnAttacks + 6,  // 6
  kOwnTwice = kEnemyAttacks + 6,    // 1: squares attacked at least twice
  kEnemyTwice = kOwnTwice + 1,      // 1
  kOwnHanging = kEnemyTwice + 1,  // 1: men attacked and not defended, or attacked by a cheaper man
  kEnemyHanging = kOwnHanging + 1,  // 1
  kOwnPinned = kEnemyHanging + 1,   // 1: men that shield their king
  kEnemyPinned = kOwnPinned + 1,    // 1
  kCheckers = kEnemyPinned + 1,     // 1: enemy men that attack the own king
  kOwnKingLines = kCheckers + 1,  // 3: from where a knight, bishop, rook would attack the own king
  kEnemyKingLines = kOwnKingLines + 3,  // 3
  kOwnWinners = kEnemyKingLines + 3,    // 3: own men with a capture that wins material by exchanges
                                      // on its square; what it wins; what is worth a knight or more
  kEnemyWinners = kOwnWinners + 3,  // 3: the same if it were the enemy's turn
  kBoard = kEnemyWinners + 3,       // 1: every square
  kPlanes = kBoard + 1
};

// Global inputs, all of order one.
inline constexpr int kGlobals = 34;

// Policy: 69 planes on 64 squares; index = square * kMovePlanes + plane. Planes 0–55: the square
// left, queen moves by direction (N, NE, E, SE, S, SW, W, NW) and distance 1–7; 56–63: the square
// left, knight moves; 64–68: the square arrived at, a placement of N, B, R, Q, K. Promotion is
// always to a queen.
inline constexpr int kMovePlanes = 69;
inline constexpr int kPolicySize = 64 * kMovePlanes;

struct EncodedPosition {
  std::array<std::uint64_t, kPlanes> planes;
  std::array<float, kGlobals> globals;
};

struct Encoder {
  // The rule set of that name, if planes and indices can hold its positions and moves: Chess# and
  // its options but underpromotion. Throws rules::RulesError for others.
  static rules::RuleSet parse_rules(std::string_view name);
  static void encode(const rules::Position& position, const rules::ScoringTable& table,
                     EncodedPosition& out);
  // REQUIRES: a Chess# move of the side to move.
  static int policy_index(rules::Move move, rules::Color side_to_move);
};

}  // namespace nn
