#pragma once
// A Chess# position: a plain value that knows its moves, its successor and its outcome.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "rules/types.h"

namespace rules {

// A refused input. The message names the field, its value and what was expected, on one line.
class RulesError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A list of moves on the stack; no position has more than kCapacity. Elements past size() are
// not initialised.
class MoveList;

class Position {
 public:
  static Position start(RuleSet rules = {});
  // Throws RulesError. Accepted: unreachable but plausible positions, and finished games whose captured king is
  // in neither place.
  static Position from_fen(std::string_view fen, RuleSet rules = {});
  std::string to_fen() const;

  RuleSet rule_set() const;
  Color side_to_move() const;
  int halfmove_clock() const;   // plies since the last capture or pawn move
  int fullmove_number() const;
  std::uint64_t key() const;    // board, reserves, side, en passant, rule set; not the clock
  Bitboard pieces(Color color, PieceType type) const;
  Bitboard pieces(Color color) const;
  Bitboard occupied() const;
  int reserve(Color color, PieceType type) const;   // pieces of that type still in hand
  std::optional<PieceType> piece_at(Square square) const;
  bool king_on_board(Color color) const;

  // All legal moves by the rules alone (no look at the outcome): a finished game may have some.
  void legal_moves(MoveList& out) const;
  MoveList legal_moves() const;
  int count_legal_moves() const;   // by popcount, without a list
  bool is_legal(Move move) const;  // for any 16 bits

  // The legal moves after which the opponent can't capture the mover's king at once, so those that
  // do not lose on the spot: a move that captures the enemy king; a move that leaves no own king
  // attacked by a side that may move; and any move that reaches clock 100, where the impasse comes first.
  // Same relative order as legal_moves().
  void surviving_moves(MoveList& out) const;
  // The mover has a legal move that captures the enemy king (false at clock >= 100: the game is over).
  bool can_capture_king() const;
  // The side's king stands on an attacked square (geometric: pinned men, and men whose own king is in hand,
  // attack all the same). False for a king in reserve.
  bool in_check(Color color) const;

  // REQUIRES: is_legal(move).
  void play(Move move);
  Position after(Move move) const;

  // Empty while the game goes on. The table's piece values decide an impasse.
  std::optional<Outcome> outcome(const ScoringTable& table) const;
  // White's material on the board minus Black's, under the table's piece values.
  double material_balance_white(const ScoringTable& table) const;

  bool operator==(const Position&) const = default;

  // The position mirrored left–right, and with colours swapped and the board flipped.
  Position mirrored() const;
  Position color_flipped() const;
};

}  // namespace rules
