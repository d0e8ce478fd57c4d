#pragma once
// Positions of one material as numbers. Mirrored positions share one, and where no pawn tells the
// directions apart, those turned by any of the board's eight symmetries.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rules/position.h"
#include "rules/rule_set.h"
#include "tablebase/material.h"

namespace tablebase {

// A position as the squares of its pieces, in the order of Cells::pieces().
struct Placement {
  std::array<rules::Square, kMostPieces> squares;
  rules::Color side;
};

// The cells of one material. Those with the same pawns on the same squares are a slice, and lie
// together: a capture or a pawn's move is what leaves one.
class Cells {
 public:
  struct Piece {
    rules::Color color;
    rules::PieceType type;
  };

  explicit Cells(const Material& material);

  std::uint64_t size() const { return slices_ * slice_size_; }
  std::uint64_t slices() const { return slices_; }
  std::uint64_t slice_size() const { return slice_size_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

  // REQUIRES: the material. Castling rights and en passant squares are not looked at.
  std::uint64_t cell_of(const rules::Position& position) const;
  std::uint64_t cell_of(const Placement& placement) const;
  // Empty where no position has this cell: two of its pieces would share a square, or a position
  // that is the same by symmetry has another.
  std::optional<Placement> placement(std::uint64_t cell) const;
  rules::Position position(const Placement& placement, int halfmove_clock,
                           rules::RuleSet rules) const;
  // Whether the rules can lead to it: where kings are kept safe, who has moved is not in check.
  static bool is_possible(const rules::Position& position) {
    return !position.rule_set().king_safe || !position.in_check(~position.side_to_move());
  }
  // How many positions are the same by symmetry. REQUIRES: of placement().
  std::uint64_t images(const Placement& placement) const;
  // How many rows the pawns of a slice have gone altogether; a pawn's move leads to more.
  int advancement(std::uint64_t slice) const;

 private:
  std::uint64_t number(const Placement& placement, int symmetry) const;
  bool is_pawn(std::size_t piece) const { return pieces_[piece].type == rules::PieceType::kPawn; }

  std::vector<Piece> pieces_;                        // pawns, kings, others
  std::array<std::uint64_t, kMostPieces> values_{};  // how many codes each has
  std::uint64_t slices_ = 1, slice_size_ = 2;
  // A cell's number is the sum of its pieces' codes and its side, each times a weight.
  std::array<std::array<std::uint8_t, 64>, kMostPieces> codes_{};  // by piece and square
  std::array<std::uint64_t, kMostPieces> weights_{};
  std::uint64_t side_weight_ = 0;
  std::array<bool, kMostPieces> twins_{};  // it is of the same kind as the piece before
};

}  // namespace tablebase
