#pragma once
// The one place where positions become numbers and moves become policy indices, for play and for
// training alike. Everything is seen by the side to move: for Black the board is flipped
// top–bottom and the colours are exchanged, so "own first row" is always row 0.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/network_config.h"
#include "rules/outcome.h"
#include "rules/position.h"
#include "rules/repertoire.h"
#include "tactics/lookahead.h"

namespace nn {

// Board planes, each a set of squares. Named groups in this order:
enum Plane : int {
  kOwnPieces = 0,                 // 6: pawn, knight, bishop, rook, queen, king
  kEnemyPieces = kOwnPieces + 6,  // 6
  kOwnReserve =
      kEnemyPieces + 6,  // 8: K, Q, R, 2nd R, B, 2nd B, N, 2nd N: where it could be placed
  kEnemyReserve = kOwnReserve + 8,  // 8
  kOwnAttacks = kEnemyReserve + 8,  // 6: squares attacked by own pawns, knights, … king
  kEnemyAttacks = kOwnAttacks + 6,  // 6
  kOwnTwice = kEnemyAttacks + 6,    // 1: squares attacked at least twice
  kEnemyTwice = kOwnTwice + 1,      // 1
  kOwnHanging = kEnemyTwice + 1,    // 1: attacked and not defended, or attacked by a cheaper piece
  kEnemyHanging = kOwnHanging + 1,  // 1
  kOwnPinned = kEnemyHanging + 1,   // 1: pieces that shield their king
  kEnemyPinned = kOwnPinned + 1,    // 1
  kCheckers = kEnemyPinned + 1,     // 1: enemy pieces that attack the own king
  kOwnKingLines = kCheckers + 1,  // 3: from where a knight, bishop, rook would attack the own king
  kEnemyKingLines = kOwnKingLines + 3,  // 3
  kOwnWinners = kEnemyKingLines + 3,    // 3: own pieces with a capture that wins material by SEE;
                                        // what it captures; of that what wins a knight or more
  kEnemyWinners = kOwnWinners + 3,      // 3: the same with the enemy to move
  kBestMove = kEnemyWinners + 3,  // 2: the squares that the tactical search's move leaves (none
                                  // where a piece is placed) and arrives at
  kBoard = kBestMove + 2,         // 1: every square
  kChessSharpPlanes = kBoard + 1,
  // For other repertoires than the plain Chess# family:
  kOwnCastling = kChessSharpPlanes,   // 1: rooks with which the side may still castle
  kEnemyCastling = kOwnCastling + 1,  // 1
  kEnPassant = kEnemyCastling + 1,    // 1: the square that a pawn has just passed
  kWidePlanes = kEnPassant + 1,
  // For repertoires with cards:
  kOwnBishopCards = kWidePlanes,  // 1: the empty squares for which a bishop is in the deck
  kEnemyBishopCards = kOwnBishopCards + 1,  // 1
  kCardSquares = kEnemyBishopCards + 1,     // 1: where the card in hand may be placed
  kAllPlanes = kCardSquares + 1
};

// Sight: inputs that follow from the position and that a network could compute for itself. Planes
// [kFirstSightPlane, kEndOfSightPlanes) and the last kSightGlobals of Chess#'s global inputs. The
// last of both tell what the tactical search found.
inline constexpr int kTacticsGlobals = 5;
inline constexpr int kFirstSightPlane = kOwnReserve;
inline constexpr int kEndOfSightPlanes = kBoard;
inline constexpr int kSightGlobals = 4 + kTacticsGlobals;

// The Chess# family without options has planes, global inputs and move planes of its own, so that a
// network for it carries nothing that only other games need: its members differ by what is in
// reserve, which a position tells (a second queen by the count among the global inputs). All other
// repertoires share one shape, which begins with Chess#'s and tells the rules apart by global
// inputs: one network can play them all. With cards among them that shape goes on a little.
//
// Global inputs, all of order one: Chess#'s 39, then 11 for repetition and the rules, then 20 for
// decks, kits and the card in hand.
//
// Policy: index = square * move planes + plane. Planes 0–55: the square left, queen moves by
// direction (N, NE, E, SE, S, SW, W, NW) and distance 1–7; 56–63: the square left, knight moves;
// 64–68: the square arrived at, a placement of N, B, R, Q, K; promotion is to a queen. Then 69–77:
// the square left, a promotion to N, B, R by a pawn that goes left, ahead, right; 78–97: the square
// arrived at, a placement of N, B, R, Q, K while the pawn before it goes one, two, takes left,
// right; 98: the square arrived at, a placement of a pawn; 99: on square 0 a draw, on square 1 a
// pass. Castling is a king's move to where it is written.
inline constexpr Shape kChessSharpShape{};
inline constexpr Shape kWideShape{kWidePlanes, kChessSharpShape.globals + 11, 98};
inline constexpr Shape kCardShape{kAllPlanes, kWideShape.globals + 20, 100};
static_assert(kChessSharpShape.planes == kChessSharpPlanes);

// The first `planes` and `globals` of the shape count.
struct EncodedPosition {
  std::array<std::uint64_t, kAllPlanes> planes;
  std::array<float, kCardShape.globals> globals;
};

// Expands the first `planes` bit planes of each position to channels-last numbers:
// out[position][square][plane]. T holds the bits of 0 and 1.
template <class T>
void expand(std::span<const EncodedPosition> positions, int planes, T one, T* out) {
  for (const EncodedPosition& position : positions) {
    std::fill_n(out, 64 * planes, T{0});
    for (int plane = 0; plane < planes; ++plane) {
      for (std::uint64_t squares = position.planes[static_cast<std::size_t>(plane)]; squares;
           squares &= squares - 1) {
        out[std::countr_zero(squares) * planes + plane] = one;
      }
    }
    out += 64 * planes;
  }
}

// Copies the first `count` planes of each position as they are: out[position][plane].
inline void copy_planes(std::span<const EncodedPosition> positions, int count, std::int64_t* out) {
  for (const EncodedPosition& position : positions) {
    out = std::copy_n(position.planes.begin(), count, out);
  }
}

// Copies the first `count` global inputs of each position: out[position][input].
inline void copy_globals(std::span<const EncodedPosition> positions, int count, float* out) {
  for (const EncodedPosition& position : positions) {
    out = std::copy_n(position.globals.begin(), count, out);
  }
}

class Encoder {
 public:
  Encoder() = default;  // for plain Chess#
  explicit Encoder(const rules::Repertoire& repertoire);

  const Shape& shape() const { return shape_; }
  // `occurrences` as for Position::outcome, `finding` by Lookahead::find() with the same table.
  // REQUIRES (both): a rule set of the repertoire; no card is being drawn, for nobody is to move
  // then.
  void encode(const rules::Position& position, int occurrences, const rules::ScoringTable& table,
              const tactics::Finding& finding, EncodedPosition& out) const;
  int policy_index(rules::Move move, rules::Color side_to_move) const;

 private:
  bool wide() const { return shape_.planes > kChessSharpPlanes; }
  bool cards() const { return shape_.planes > kWidePlanes; }
  Shape shape_ = kChessSharpShape;
};

// Returns for each policy index of the shape 64 * the square that its move leaves + the square it
// arrives at. For a placement, and where the move leads off the board, both are the index's square.
std::vector<std::uint16_t> square_pairs(const Shape& shape);

}  // namespace nn
